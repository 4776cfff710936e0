import type { RequestContext } from "../http/context.ts";

/** A request to be counted. */
export interface RateLimitAttempt {
  /** Key of the client that it counts for; 1 to 256 characters, without NUL and lone surrogates. */
  readonly key: string;
  /** Maximum number of requests per window. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
}

/** Result of {@link RateLimitStore.consume}. */
export interface RateLimitDecision {
  /** True if the request was admitted and counted. */
  readonly allowed: boolean;
  /** Number of requests left in the window; undefined if the store does not know it. */
  readonly remaining: number | undefined;
  /** Milliseconds until the next request is admitted; undefined if the store does not know it. */
  readonly resetMs: number | undefined;
}

/**
 * Storage of a rate limiter's counts.
 *
 * `consume` either admits and counts a request, or rejects it without counting. It must be atomic: no
 * concurrent request may come between the check and the count. `rateLimitStoreSuite` of `espalier/testing` verifies this
 * for any store.
 */
export interface RateLimitStore {
  /** Admits and counts a request, or rejects it; see {@link RateLimitStore}. */
  consume(
    attempt: RateLimitAttempt,
    ctx: RequestContext,
  ): RateLimitDecision | Promise<RateLimitDecision>;
  /** Highest limit that the store can count; undefined if unlimited. */
  readonly maxLimit?: number;
}
