/** Delay between the attempts of a failing job. */
export interface Backoff {
  /** "exponential" doubles the wait with every attempt, "fixed" keeps it; default "exponential". */
  readonly type?: "exponential" | "fixed";
  /** Delay after the first failure, in milliseconds; default 1000. */
  readonly delayMs?: number;
  /** Maximum delay, in milliseconds; default one hour. */
  readonly maxDelayMs?: number;
}

const minReleaseDelayMs = 5000;
const maxReleaseDelayMs = 60 * 60 * 1000;

/**
 * Returns the delay of a released job of an engine that would deliver it to the same process again, in
 * milliseconds: the job's age, which is short during a rollout and grows if no process handles the job.
 */
export function releaseDelayMs(ageMs: number): number {
  return Math.min(Math.max(ageMs, minReleaseDelayMs), maxReleaseDelayMs);
}

/** Jitter, as a fraction of the nominal delay. */
const backoffJitter = 0.2;

const defaultDelayMs = 1000;
const defaultMaxDelayMs = 60 * 60 * 1000;

/**
 * Returns the delay before the attempt after `attempt`, in whole milliseconds.
 *
 * Jitter of up to 20 % in both directions keeps jobs that failed together from retrying together.
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
