import type { RequestContext } from "../http/context.ts";
import { findOpenTelemetry } from "../observability/find-open-telemetry.ts";
import type { Logger, LogRecord } from "../observability/logger.ts";
import type { OpenTelemetryApi } from "../observability/open-telemetry.ts";
import type { Redactor } from "../observability/redactor.ts";
import type { MiddlewareObject, Next } from "../pipeline/middleware.ts";
import {
  checkRequestObservabilityOptions,
  type RequestObservabilityOptions,
} from "./request-observability-options.ts";
import type { AccessRecordOptions, CreateAccessRecord } from "./request-observability-record.ts";

/** The parts that the first request loads. */
interface Instruments {
  readonly redactor: Redactor;
  /** Undefined if no records are written. */
  readonly createRecord: CreateAccessRecord | undefined;
  /** Undefined without OpenTelemetry. */
  readonly runInSpan:
    | ((ctx: RequestContext, run: () => Promise<Response>) => Promise<Response>)
    | undefined;
}

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
  readonly #secretNames: Pick<RequestObservabilityOptions, "redact" | "unredacted">;
  readonly #serverTiming: boolean;
  readonly #openTelemetry: OpenTelemetryApi | false | undefined;
  #instruments: Instruments | undefined;

  /** @throws EspalierError `ERR_OBSERVABILITY_BAD_OPTION` */
  constructor(options: RequestObservabilityOptions = {}) {
    checkRequestObservabilityOptions(options);
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
    };
    this.#secretNames = options;
    this.#openTelemetry = openTelemetry;
  }

  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const startedAt = performance.now();
    const { redactor, createRecord, runInSpan } = this.#instruments ?? (await this.#load());
    const input = ctx.internalInput;
    input.redactor = redactor;
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
    input.onBodyFailure = () => {
      const outcome = { status, durationMs: elapsed(), bodyFailed: true } as const;
      write(ctx, "error", () => createRecord(ctx, outcome));
    };
    return response;
  }

  // Each request awaits its own import: a Worker's request must not await a promise of another.
  async #load(): Promise<Instruments> {
    const api = this.#openTelemetry ?? (await findOpenTelemetry());
    const spans = api ? await import("./request-observability-span.ts") : undefined;
    const records =
      this.#level === undefined ? undefined : await import("./request-observability-record.ts");
    const { Redactor } = await import("../observability/redactor.ts");
    const redactor = new Redactor(this.#secretNames.redact, this.#secretNames.unredacted);
    this.#instruments = {
      redactor,
      createRecord: records?.accessRecords(this.#record, redactor),
      runInSpan: api && spans ? (ctx, run) => spans.runInSpan(api, ctx, run) : undefined,
    };
    return this.#instruments;
  }
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
