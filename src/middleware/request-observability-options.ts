import { isOpenTelemetry, type OpenTelemetryApi } from "../observability/open-telemetry.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";

/** Options of `useRequestObservability`. */
export interface RequestObservabilityOptions {
  /** Logs the parsed body of the request, redacted and cut to a few kilobytes; default false. */
  readonly includeBody?: boolean;
  /** Logs the headers of the request, redacted: all, or those named; default false. */
  readonly includeHeaders?: boolean | readonly string[];
  /** The level at which access records are written; "silent" writes none. Default "info". */
  readonly logLevel?: "debug" | "info" | "warn" | "error" | "silent";
  /**
   * Further strings that make a name secret wherever they occur in it, in addition to the default list of
   * passwords, tokens, keys, codes, card data and the like.
   */
  readonly redact?: readonly string[];
  /** Names whose values are logged although the default list contains them, such as `email`; default none. */
  readonly unredacted?: readonly string[];
  /** Adds `Server-Timing` with the time that the response took; default false. */
  readonly serverTiming?: boolean;
  /**
   * The module `@opentelemetry/api`, to record a span for each request; false records none. By
   * default it is used if it is installed.
   */
  readonly openTelemetry?: OpenTelemetryApi | false;
}

const owner = {
  code: "ERR_OBSERVABILITY_BAD_OPTION",
  name: "useRequestObservability()",
} as const;
const optionNames: OptionNames<RequestObservabilityOptions> = {
  includeBody: true,
  includeHeaders: true,
  logLevel: true,
  redact: true,
  unredacted: true,
  serverTiming: true,
  openTelemetry: true,
};

const levels: readonly string[] = ["debug", "info", "warn", "error", "silent"];

/** @throws EspalierError `ERR_OBSERVABILITY_BAD_OPTION` */
export function checkRequestObservabilityOptions(options: RequestObservabilityOptions): void {
  checkOptionNames(owner, options, optionNames);
  const { logLevel, openTelemetry } = options;
  for (const name of ["redact", "unredacted"] as const) {
    const names: unknown = options[name];
    if (names === undefined || Array.isArray(names)) continue;
    throw badOption(owner, name, names, "a list of names");
  }
  if (logLevel !== undefined && !levels.includes(logLevel)) {
    throw badOption(owner, "logLevel", logLevel, `one of ${levels.join(", ")}`);
  }
  if (openTelemetry === undefined || openTelemetry === false) return;
  if (isOpenTelemetry(openTelemetry)) return;
  const expected = 'false or the module, import * as api from "@opentelemetry/api"';
  throw badOption(owner, "openTelemetry", openTelemetry, expected);
}
