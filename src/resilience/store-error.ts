import type { ErrorCode } from "../errors.ts";
import { HttpError } from "../http/http-error.ts";
import { withLoggedCause } from "../http/logged-cause.ts";

/** Codes of {@link StoreError}. */
export type StoreErrorCode = Extract<ErrorCode, `ERR_STORE_${string}`>;

/** Options of {@link StoreError}. */
export interface StoreErrorOptions {
  /** Number of milliseconds after which another call may succeed: the `Retry-After` of the response. */
  readonly retryAfterMs: number;
  /** The store's own error. */
  readonly cause?: unknown;
}

/**
 * A call of a store, queue, lock or limiter failed: `ERR_STORE_TIMEOUT` when it did not respond in time,
 * `ERR_STORE_FAILED` when it threw or rejected (`cause` is its error), `ERR_STORE_UNAVAILABLE` when it
 * was not called, because its last calls failed.
 *
 * Where a handler does not catch it, the client gets 503 Problem Details with `Retry-After`. The message
 * names the store and is for the log; the client's `detail` does not.
 *
 * @example if (error instanceof StoreError) return json({ cached: false });
 */
export class StoreError extends HttpError {
  override readonly name = "StoreError";
  /** Stable code of the condition; docs/reference/errors.md explains each. */
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: StoreErrorOptions) {
    const seconds = Math.max(1, Math.ceil(options.retryAfterMs / 1000));
    super(503, "A service that this request needs is not available. Try again later.", {
      headers: { "retry-after": String(seconds) },
      ...("cause" in options ? { cause: options.cause } : {}),
    });
    this.code = code;
    this.message = message;
    // The caller of the store logs it, and does not log every request while the store is down.
    withLoggedCause(this);
  }
}
