import { EspalierError } from "../../errors.ts";
import { type Clock, sleep } from "../../util/clock.ts";

/** Time after a write of a key in which KV refuses another, and a margin for the clocks; milliseconds. */
export const sameKeyMs = 1100;

/** Waits before the retries of an operation on one key: the failed try may have written it. */
const sameKeyWaitsMs: readonly number[] = [sameKeyMs];
/** Waits before the retries of a read, or of an operation that writes another key each time. */
export const freshKeyWaitsMs: readonly number[] = [100, 200];

/**
 * Retries a failed KV operation after each of `waitsMs`, with jitter. All tries end before the queue's
 * deadline for the call.
 *
 * @throws the error of the last try; an EspalierError at once, since a retry would fail the same way
 */
export async function persist<Result>(
  operation: () => Promise<Result>,
  clock: Clock,
  waitsMs: readonly number[] = sameKeyWaitsMs,
  random: () => number = Math.random,
): Promise<Result> {
  for (const waitMs of waitsMs) {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof EspalierError) throw error;
      await sleep(clock, waitMs * (1 + random() / 4));
    }
  }
  return await operation();
}
