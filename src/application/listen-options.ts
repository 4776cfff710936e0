import { checkOptionNames, type OptionNames } from "../util/options.ts";

/** What `listen` takes in its object form. */
export interface ListenOptions {
  /** Default: the application's `port`; 0 picks a free one. */
  readonly port?: number;
  /** Default: the application's `host`. */
  readonly host?: string;
  /** Whether SIGINT and SIGTERM stop the application and end the process; default true. */
  readonly gracefulSignals?: boolean;
}

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "listen()" } as const;
const optionNames: OptionNames<ListenOptions> = { port: true, host: true, gracefulSignals: true };

/**
 * Refuses a misspelt option: with `hostname` for `host` a server would listen to the whole network.
 *
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION`
 */
export function checkListenOptions(options: ListenOptions): void {
  checkOptionNames(owner, options, optionNames);
}

/** Where a server listens. */
export interface ServerAddress {
  /** The port that was bound. */
  readonly port: number;
  /** The host that was bound. */
  readonly hostname: string;
  /** `http://localhost:3000/` */
  readonly url: string;
}
