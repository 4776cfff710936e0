import type { RateLimitDecision } from "./rate-limit-store.ts";

/**
 * The moments, in milliseconds and from the oldest, of the admitted requests that still count.
 *
 * A request admitted at `t` counts until `t + windowMs`, at which moment its place is free. So no
 * stretch of time that is `windowMs` long ever holds more than `limit` of them.
 */
export type SlidingWindow = number[];

/**
 * Admits a request into the window, or refuses it; a refused one leaves no trace.
 *
 * Costs time and memory in proportion to `limit` at most.
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
  // A limit that was lowered may find more in the window than it admits.
  const nextToGo = window[Math.max(0, window.length - limit)] ?? nowMs;
  return {
    allowed,
    remaining: Math.max(0, limit - window.length),
    resetMs: nextToGo + windowMs - nowMs,
  };
}

/**
 * When the clock was set back, what lies ahead counts as admitted now. It would otherwise stay for as long
 * as the clock was wrong.
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
