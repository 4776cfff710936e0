/** How long a failed job waits before its next attempt. */
export interface Backoff {
  /** "exponential" doubles the wait with every attempt, "fixed" keeps it; default "exponential". */
  readonly type?: "exponential" | "fixed";
  /** The wait after the first failure, in milliseconds; default 1000. */
  readonly delayMs?: number;
  /** No wait is longer than this, in milliseconds; default one hour. */
  readonly maxDelayMs?: number;
}

/** How far a wait may lie from its nominal length, as a share of it. */
const backoffJitter = 0.2;

const defaultDelayMs = 1000;
const defaultMaxDelayMs = 60 * 60 * 1000;

/**
 * The wait before the attempt after `attempt`, in whole milliseconds.
 *
 * It is spread by up to 20 % to both sides, so that jobs that failed together do not come back together.
 *
 * @param attempt the attempt that failed; the first is 1
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 */
export function backoffDelayMs(backoff: Backoff, attempt: number, random: () => number): number {
  const {
    type = "exponential",
    delayMs = defaultDelayMs,
    maxDelayMs = defaultMaxDelayMs,
  } = backoff;
  const growth = type === "fixed" ? 1 : 2 ** (attempt - 1);
  const nominalMs = Math.min(delayMs * growth, maxDelayMs);
  const spread = 1 - backoffJitter + 2 * backoffJitter * random();
  return Math.round(Math.min(nominalMs * spread, maxDelayMs));
}
