import type { ServerLimits } from "../platform/server/contract.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";

export type { ServerAddress } from "../platform/server/contract.ts";

/** Options of `listen()`. */
export interface ListenOptions {
  /** Port to bind; 0 picks a free one. Default: the application's `port`. */
  readonly port?: number;
  /** Host to bind. Default: the application's `host`. */
  readonly host?: string;
  /** Stops the application and ends the process on SIGINT and SIGTERM; default true. */
  readonly gracefulSignals?: boolean;
  /**
   * How long an idle connection is kept open, in milliseconds; default 65,000, 0 for no limit. Must be longer
   * than the timeout of a proxy in front, which would otherwise send a request on a closed connection. Bun
   * also closes a connection after this time while a handler is running. No effect on Deno.
   */
  readonly keepAliveTimeoutMs?: number;
  /**
   * How long a client may take to send the request headers, in milliseconds; default 60,000, or
   * `requestTimeoutMs` if that is less; 0 for no limit. No effect on Deno and Bun.
   */
  readonly headersTimeoutMs?: number;
  /**
   * How long a client may take to send a whole request, in milliseconds; default 300,000, 0 for no limit. No
   * effect on Deno and Bun.
   */
  readonly requestTimeoutMs?: number;
  /** Maximum size of the request headers, in bytes; default 16,384. No effect on Deno and Bun. */
  readonly maxHeaderBytes?: number;
  /**
   * Maximum number of connections: others are closed immediately; default unlimited. No effect on Deno and
   * Bun.
   */
  readonly maxConnections?: number;
  /** How long `stop()` waits for work in progress before cutting it off, in milliseconds; default 10,000. */
  readonly stopTimeoutMs?: number;
}

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "listen()" } as const;

/** Default of `stopTimeoutMs`, in milliseconds; also used by an application that does not listen. */
export const defaultStopTimeoutMs = 10_000;

/** The longest timer delay, in milliseconds; no other limit needs to be larger. */
const maxInteger = 2 ** 31 - 1;

const optionNames: OptionNames<ListenOptions> = {
  port: true,
  host: true,
  gracefulSignals: true,
  keepAliveTimeoutMs: true,
  headersTimeoutMs: true,
  requestTimeoutMs: true,
  maxHeaderBytes: true,
  maxConnections: true,
  stopTimeoutMs: true,
};

/** Options of `listen()` with the application's defaults applied. */
export interface ResolvedListenOptions {
  readonly port: number;
  readonly hostname: string;
  readonly gracefulSignals: boolean;
  readonly limits: ServerLimits;
  readonly stopTimeoutMs: number;
}

/**
 * Validates the options of `listen()`. Unknown options are refused: `hostname` instead of `host` would expose
 * the server to the whole network.
 *
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION`
 */
export function resolveListenOptions(
  options: ListenOptions,
  defaults: { readonly port: number; readonly host: string },
): ResolvedListenOptions {
  checkOptionNames(owner, options, optionNames);
  const { port = defaults.port, host = defaults.host, gracefulSignals = true } = options;
  const { headersTimeoutMs, requestTimeoutMs, stopTimeoutMs = defaultStopTimeoutMs } = options;
  checkInteger(owner, "port", port, 0, 65_535);
  checkOptional("keepAliveTimeoutMs", options.keepAliveTimeoutMs, 0);
  checkOptional("headersTimeoutMs", headersTimeoutMs, 0);
  checkOptional("requestTimeoutMs", requestTimeoutMs, 0);
  checkOptional("maxHeaderBytes", options.maxHeaderBytes, 1);
  checkOptional("maxConnections", options.maxConnections, 1);
  checkOptional("stopTimeoutMs", stopTimeoutMs, 0);
  if (headersTimeoutMs && requestTimeoutMs && headersTimeoutMs > requestTimeoutMs) {
    const expected = `at most requestTimeoutMs, which is ${requestTimeoutMs}`;
    throw badOption(owner, "headersTimeoutMs", headersTimeoutMs, expected);
  }
  return { port, hostname: host, gracefulSignals, limits: options, stopTimeoutMs };
}

function checkOptional(option: keyof ListenOptions, value: unknown, min: number): void {
  if (value !== undefined) checkInteger(owner, option, value, min, maxInteger);
}
