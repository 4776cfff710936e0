import { RequestContext } from "../http/context.ts";
import type { Logger } from "../observability/logger.ts";
import {
  findOpenTelemetry,
  isOpenTelemetry,
  type OpenTelemetryApi,
} from "../observability/open-telemetry.ts";
import { Redactor } from "../observability/redactor.ts";
import type { MiddlewareObject, Next } from "../pipeline/middleware.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import {
  type AccessOutcome,
  type AccessRecordOptions,
  accessRecord,
} from "./request-observability-record.ts";
import { runInSpan } from "./request-observability-span.ts";

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
  #openTelemetry: OpenTelemetryApi | undefined;
  #isDecided: boolean;

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
      redactor: new Redactor(options.redact, options.unredacted),
    };
    this.#isDecided = openTelemetry !== undefined;
    this.#openTelemetry = openTelemetry === false ? undefined : openTelemetry;
  }

  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const startedAt = performance.now();
    if (!this.#isDecided) await this.#decide();
    const api = this.#openTelemetry;
    const response = api === undefined ? await next() : await runInSpan(api, ctx, () => next());
    // Some servers empty a response once they have sent it.
    const { status } = response;
    const elapsed = (): number => rounded(performance.now() - startedAt);
    const durationMs = elapsed();
    response.headers.set("x-request-id", ctx.id);
    if (this.#serverTiming) {
      response.headers.append("server-timing", `total;dur=${durationMs}`);
    }
    if (this.#level === undefined) return response;
    this.#write(ctx, this.#level, { status, durationMs });
    RequestContext.onBodyFailure(ctx, () => {
      this.#write(ctx, "error", { status, durationMs: elapsed(), bodyFailed: true });
    });
    return response;
  }

  #write(ctx: RequestContext, level: keyof Logger, outcome: AccessOutcome): void {
    try {
      ctx.app.logger[level](accessRecord(ctx, outcome, this.#record));
    } catch {
      // A failing logger must not fail the request.
    }
  }

  async #decide(): Promise<void> {
    this.#openTelemetry = await findOpenTelemetry();
    this.#isDecided = true;
  }
}

function checkOptions(options: RequestObservabilityOptions): void {
  checkOptionNames(owner, options, optionNames);
  const { logLevel, openTelemetry } = options;
  if (logLevel !== undefined && !levels.includes(logLevel)) {
    throw badOption(owner, "logLevel", logLevel, `one of ${levels.join(", ")}`);
  }
  if (openTelemetry === undefined || openTelemetry === false) return;
  if (isOpenTelemetry(openTelemetry)) return;
  const expected = 'false or the module, import * as api from "@opentelemetry/api"';
  throw badOption(owner, "openTelemetry", openTelemetry, expected);
}

/** Rounds to hundredths: more digits are noise. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
