import type { RateLimitDecision } from "../rate-limit/rate-limit-store.ts";

/** Values of the rate limit headers, besides the decision. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Writes `RateLimit` and `RateLimit-Policy` (IETF draft "RateLimit header fields for HTTP"), to which each
 * limiter adds its own member, and the older `X-RateLimit-*`, which hold the limiter with least left.
 *
 * `X-RateLimit-Reset` is in seconds since the epoch.
 */
export function writeRateLimitHeaders(
  headers: Headers,
  { name, limit, windowMs }: RateLimitPolicy,
  { remaining, resetMs }: RateLimitDecision,
): void {
  headers.append("ratelimit-policy", `"${name}";q=${limit};w=${seconds(windowMs)}`);
  if (remaining === undefined) return;
  const reset = resetMs === undefined ? "" : `;t=${seconds(resetMs)}`;
  headers.append("ratelimit", `"${name}";r=${remaining}${reset}`);

  const present = headers.get("x-ratelimit-remaining");
  if (present !== null && Number(present) <= remaining) return;
  headers.set("x-ratelimit-limit", String(limit));
  headers.set("x-ratelimit-remaining", String(remaining));
  if (resetMs === undefined) headers.delete("x-ratelimit-reset");
  else headers.set("x-ratelimit-reset", String(Math.ceil((Date.now() + resetMs) / 1000)));
}

/** Whole seconds, never too short and at least one: a client that waits that long is admitted. */
export function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
