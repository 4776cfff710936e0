import * as server from "#server";
import { EspalierError } from "../errors.ts";
import { findUnknownOption, type OptionNames } from "../text/option-names.ts";
import type { RunningServer, ServeOptions } from "./server/contract.ts";

/** What `listen` takes in its object form. */
export interface ListenOptions {
  /** Default: the application's `port`; 0 picks a free one. */
  readonly port?: number;
  /** Default: the application's `host`. */
  readonly host?: string;
  /** Whether SIGINT and SIGTERM stop the application and end the process; default true. */
  readonly gracefulSignals?: boolean;
}

const optionNames: OptionNames<ListenOptions> = { port: true, host: true, gracefulSignals: true };

/**
 * Refuses a misspelt option: with `hostname` for `host` a server would listen to the whole network.
 *
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION`
 */
export function checkListenOptions(options: ListenOptions): void {
  const problem = findUnknownOption(options, optionNames);
  if (problem === undefined) return;
  throw new EspalierError("ERR_APPLICATION_BAD_OPTION", `listen(): ${problem}`);
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

/** The server of one application: at most one at a time. */
export class ServerControl {
  #running: RunningServer | undefined;
  #isStarting = false;
  #ignoreSignals: () => void = () => {};

  /**
   * Binds the port.
   *
   * @throws EspalierError `ERR_APPLICATION_LISTEN` where the platform listens itself, or when this
   * application listens already; `ERR_APPLICATION_PORT_IN_USE` when somebody else does; the system's own
   * error when the port cannot be bound otherwise
   */
  async start(options: ServeOptions): Promise<ServerAddress> {
    if (this.#running !== undefined || this.#isStarting) {
      const where = this.#running === undefined ? "" : ` on ${this.#running.url}`;
      throw new EspalierError(
        "ERR_APPLICATION_LISTEN",
        `The application listens already${where}. Call stop() first, or listen() once.`,
      );
    }
    this.#isStarting = true;
    try {
      this.#running = await server.serve(options);
    } finally {
      this.#isStarting = false;
    }
    const { port, hostname, url } = this.#running;
    return { port, hostname, url };
  }

  /** Lets SIGINT and SIGTERM call `stop`. */
  stopOnSignals(stop: () => Promise<void>): void {
    this.#ignoreSignals = server.stopOnSignals(stop);
  }

  /** Drains and closes the server; nothing happens when there is none. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#ignoreSignals();
    this.#ignoreSignals = () => {};
    await running?.close();
  }
}
