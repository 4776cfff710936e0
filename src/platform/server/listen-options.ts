import { EspalierError } from "../../errors.ts";
import { maxTimerMs } from "../../util/clock.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../../util/options.ts";
import type { ListenOptions, ResolvedListenOptions } from "./contract.ts";

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "listen()" } as const;

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
  const { headersTimeoutMs, requestTimeoutMs, stopTimeoutMs } = options;
  checkInteger(owner, "port", port, 0, 65_535);
  if (typeof host !== "string") throw badHost(host);
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

function badHost(host: unknown): EspalierError {
  // The callback of servers such as Express.
  if (typeof host !== "function") return badOption(owner, "host", host, "a string");
  return new EspalierError(
    owner.code,
    "listen() takes no callback. Await its promise: const { url } = await app.listen(port).",
  );
}

function checkOptional(option: keyof ListenOptions, value: unknown, min: number): void {
  if (value !== undefined) checkInteger(owner, option, value, min, maxTimerMs);
}
