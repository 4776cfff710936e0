import type { RateLimitDecision } from "./rate-limit-store.ts";

/**
 * Timestamps of the admitted requests that still count, in milliseconds, oldest first.
 *
 * A request admitted at `t` counts until `t + windowMs`, exclusive. So no interval of length `windowMs`
 * ever contains more than `limit` of them.
 */
export type SlidingWindow = number[];

/**
 * Admits a request into the window, or rejects it without recording it.
 *
 * Takes O(limit) time and memory.
 */
export function admit(
  window: SlidingWindow,
  limit: number,
  windowMs: number,
  nowMs: number,
): RateLimitDecision {
  forgetTheFuture(window, nowMs);
  forgetTheExpired(window, nowMs - windowMs);
  const allowed = window.length < limit;
  if (allowed) window.push(nowMs);
  // After a limit was lowered, the window may contain more requests than it admits.
  const nextToGo = window[Math.max(0, window.length - limit)] ?? nowMs;
  return {
    allowed,
    remaining: Math.max(0, limit - window.length),
    resetMs: nextToGo + windowMs - nowMs,
  };
}

/**
 * After the clock was set back, timestamps in the future count as now. Otherwise they would block the
 * client until the clock has caught up.
 */
function forgetTheFuture(window: SlidingWindow, nowMs: number): void {
  for (let index = window.length - 1; (window[index] ?? nowMs) > nowMs; index -= 1) {
    window[index] = nowMs;
  }
}

function forgetTheExpired(window: SlidingWindow, upToMs: number): void {
  let expired = 0;
  while ((window[expired] ?? Number.POSITIVE_INFINITY) <= upToMs) expired += 1;
  if (expired > 0) window.splice(0, expired);
}
