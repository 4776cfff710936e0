import type { RequestContext } from "../http/context.ts";

/** One request that asks to be counted. */
export interface RateLimitAttempt {
  /** Whom it counts for; 1 to 256 characters. */
  readonly key: string;
  /** How many requests a window admits. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
}

/** What a store says to an attempt. */
export interface RateLimitDecision {
  /** Whether the request is admitted, and has been counted. */
  readonly allowed: boolean;
  /** How many more are admitted now; undefined when the store does not know. */
  readonly remaining: number | undefined;
  /** Milliseconds until another one is admitted again; undefined when the store does not know. */
  readonly resetMs: number | undefined;
}

/**
 * Where a rate limiter counts.
 *
 * `consume` admits a request and counts it, or refuses it and does not; both at once, so that no other
 * request comes between.
 */
export interface RateLimitStore {
  /** Admits and counts a request, or refuses it; see {@link RateLimitStore}. */
  consume(
    attempt: RateLimitAttempt,
    ctx: RequestContext,
  ): RateLimitDecision | Promise<RateLimitDecision>;
  /** The highest limit that it can count, when there is one. */
  readonly maxLimit?: number;
}
