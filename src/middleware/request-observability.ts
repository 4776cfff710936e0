import { RequestContext } from "../http/context.ts";
import type { Logger, LogRecord } from "../observability/logger.ts";
import {
  findOpenTelemetry,
  isOpenTelemetry,
  type OpenTelemetryApi,
} from "../observability/open-telemetry.ts";
import type { MiddlewareObject, Next } from "../pipeline/middleware.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { AccessRecordOptions, CreateAccessRecord } from "./request-observability-record.ts";

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

/** The parts that the first request loads. */
interface Instruments {
  /** Undefined if no records are written. */
  readonly createRecord: CreateAccessRecord | undefined;
  /** Undefined without OpenTelemetry. */
  readonly runInSpan:
    | ((ctx: RequestContext, run: () => Promise<Response>) => Promise<Response>)
    | undefined;
}

const levels: readonly string[] = ["debug", "info", "warn", "error", "silent"];

/**
 * Makes every request observable: a request id on the response, an access log record, and a span if
 * OpenTelemetry is installed.
 *
 * Register it before all other middleware, so that it sees every response as it is sent. The record is
 * written when the response is ready, before its body is sent, so an aborted stream is logged too. If the
 * body then fails, a second record with the level "error" and `bodyFailed: true` follows.
 *
 * ```ts
 * app.use(new RequestObservabilityMiddleware({ includeBody: true, serverTiming: true }));
 * ```
 */
export class RequestObservabilityMiddleware implements MiddlewareObject {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  readonly #level: keyof Logger | undefined;
  readonly #record: AccessRecordOptions;
  readonly #serverTiming: boolean;
  readonly #openTelemetry: OpenTelemetryApi | false | undefined;
  #instruments: Instruments | undefined;

  /** @throws EspalierError `ERR_OBSERVABILITY_BAD_OPTION` */
  constructor(options: RequestObservabilityOptions = {}) {
    checkOptions(options);
    const { logLevel = "info", includeHeaders = false, openTelemetry } = options;
    this.#level = logLevel === "silent" ? undefined : logLevel;
    this.#serverTiming = options.serverTiming ?? false;
    this.#record = {
      level: logLevel,
      includeBody: options.includeBody ?? false,
      includeHeaders:
        typeof includeHeaders === "boolean"
          ? includeHeaders
          : includeHeaders.map((name) => name.toLowerCase()),
      redact: options.redact,
      unredacted: options.unredacted,
    };
    this.#openTelemetry = openTelemetry;
  }

  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const startedAt = performance.now();
    const { createRecord, runInSpan } = this.#instruments ?? (await this.#load());
    const response = runInSpan === undefined ? await next() : await runInSpan(ctx, () => next());
    // Some servers empty a response once they have sent it.
    const { status } = response;
    const elapsed = (): number => rounded(performance.now() - startedAt);
    const durationMs = elapsed();
    response.headers.set("x-request-id", ctx.id);
    if (this.#serverTiming) {
      response.headers.append("server-timing", `total;dur=${durationMs}`);
    }
    if (this.#level === undefined || createRecord === undefined) return response;
    write(ctx, this.#level, () => createRecord(ctx, { status, durationMs }));
    RequestContext.onBodyFailure(ctx, () => {
      const outcome = { status, durationMs: elapsed(), bodyFailed: true } as const;
      write(ctx, "error", () => createRecord(ctx, outcome));
    });
    return response;
  }

  // Each request awaits its own import: a Worker's request must not await a promise of another.
  async #load(): Promise<Instruments> {
    const api = this.#openTelemetry ?? (await findOpenTelemetry());
    const spans = api ? await import("./request-observability-span.ts") : undefined;
    const records =
      this.#level === undefined ? undefined : await import("./request-observability-record.ts");
    this.#instruments = {
      createRecord: records?.accessRecords(this.#record),
      runInSpan: api && spans ? (ctx, run) => spans.runInSpan(api, ctx, run) : undefined,
    };
    return this.#instruments;
  }
}

function checkOptions(options: RequestObservabilityOptions): void {
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

/** Writes a record; a failing logger must not fail the request. */
function write(ctx: RequestContext, level: keyof Logger, create: () => LogRecord): void {
  try {
    ctx.app.logger[level](create());
  } catch {
    // Nothing left to report to.
  }
}

/** Rounds to hundredths: more digits are noise. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
