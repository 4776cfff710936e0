import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import type { MiddlewareDocumentation, Next } from "../pipeline/middleware.ts";
import { maxTimerMs } from "../util/clock.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";

/** Options of {@link TimeoutMiddleware}. */
export interface TimeoutOptions {
  /** Milliseconds within which the response must be ready; its body may take longer. */
  readonly ms: number;
  /** Status of the response: 503 (default), or 504 for a gateway that waits for other servers. */
  readonly status?: 503 | 504;
}

const optionNames: OptionNames<TimeoutOptions> = {
  ms: true,
  status: true,
};

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "TimeoutMiddleware" } as const;
const timedOut = Symbol("timed out");

/**
 * Responds with 503 Problem Details when the rest of the request takes too long.
 *
 * A running handler cannot be stopped from outside: it keeps running, and its response is discarded.
 * `timeoutSignal(ctx)` notifies it, and cancels operations that take a signal, such as `fetch`.
 *
 * ```ts
 * app.use(new TimeoutMiddleware({ ms: 10_000 }));
 * ```
 */
export class TimeoutMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  /** Responses that the OpenAPI document lists for the routes of this middleware. */
  readonly documentation: MiddlewareDocumentation;
  readonly #ms: number;
  readonly #status: 503 | 504;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for an invalid `ms` or `status` */
  constructor(options: TimeoutOptions) {
    checkOptionNames(owner, options, optionNames);
    this.#ms = checkInteger(owner, "ms", options.ms, 1, maxTimerMs);
    this.#status = options.status ?? 503;
    if (this.#status !== 503 && this.#status !== 504) {
      throw badOption(owner, "status", this.#status, "503 or 504");
    }
    this.documentation = { responses: { [this.#status]: "The response took too long." } };
  }

  /** Calls `next`, or throws the timeout error first. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const expiry = new AbortController();
    const outer = timeoutSignal(ctx);
    ctx.state["timeoutSignal"] =
      outer === undefined ? expiry.signal : AbortSignal.any([outer, expiry.signal]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<typeof timedOut>((resolve) => {
      timer = setTimeout(() => resolve(timedOut), this.#ms);
    });
    const running = next();
    try {
      const response = await Promise.race([running, expired]);
      if (response !== timedOut) return response;
    } finally {
      clearTimeout(timer);
    }
    const failure = new HttpError(
      this.#status,
      `The response was not ready within ${this.#ms} milliseconds.`,
    );
    expiry.abort(failure);
    ctx.state["lateResponse"] = { failure, running } satisfies LateResponse;
    running.then(discard);
    throw failure;
  }
}

/**
 * Returns the signal that aborts at the timeout; undefined without a {@link TimeoutMiddleware}.
 *
 * ```ts
 * const answer = await fetch(url, { signal: timeoutSignal(ctx) });
 * ```
 */
export function timeoutSignal(ctx: RequestContext<object>): AbortSignal | undefined {
  const signal = ctx.state["timeoutSignal"];
  return signal instanceof AbortSignal ? signal : undefined;
}

/** A handler that continues after its timeout. */
interface LateResponse {
  /** The error that was thrown for it. */
  readonly failure: HttpError;
  readonly running: Promise<Response>;
}

/**
 * Returns the response of the handler that continues after a {@link TimeoutMiddleware} has thrown the error of the
 * request, for what must not be released before the handler has finished. Its body is cancelled. Undefined if the
 * request has no error, or another one.
 */
export function lateResponseOf(ctx: RequestContext): Promise<Response> | undefined {
  // Set by this module alone.
  const late = ctx.state["lateResponse"] as LateResponse | undefined;
  return late?.failure === ctx.error ? late?.running : undefined;
}

/** An unread body would keep its source open. */
function discard({ body }: Response): void {
  // Rejects when a reader is attached; then the owner of the reader closes the body.
  body?.cancel().catch(() => {});
}
