import type { RequestContext } from "../../http/context.ts";
import type { RequestEvents } from "../../http/context-input.ts";
import { describeError, type Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import { errorFields } from "./error-handler.ts";

const message = "Sending the body of a response failed";

/** Logs the bodies of responses that fail after their head: too late for an error response. */
export class BodyFailures {
  readonly #logger: Logger;
  readonly #requestEvents: RequestEvents | undefined;
  /** Errors that are logged already: a server may report the error of a stream again. */
  readonly #known: WeakSet<object> = new WeakSet();

  constructor(logger: Logger, requestEvents: RequestEvents | undefined) {
    this.#logger = logger;
    this.#requestEvents = requestEvents;
  }

  /**
   * Logs the failed body of a request, and emits `request.failed`.
   *
   * @param isAbort true if the client or `stop()` has caused it: not an error
   */
  report(ctx: RequestContext, error: unknown, isAbort: boolean): void {
    if (typeof error === "object" && error !== null) this.#known.add(error);
    if (isAbort) return;
    logSafely(this.#logger, "error", message, errorFields(error, ctx));
    this.#requestEvents?.failed(ctx, error);
  }

  /** Logs an error that a server reports without its request, unless it is known by {@link report}. */
  reportUnattributed(error: unknown): void {
    // Safe cast: has() returns false for anything but an object.
    if (this.#known.has(error as object)) return;
    logSafely(this.#logger, "error", message, { error: describeError(error) });
  }
}
