import { EspalierError } from "../../errors.ts";
import { type Clock, sleep } from "../../util/clock.ts";

/** Attempts per operation; with these waits they end before the queue's deadline. */
const tries = 3;
/** First wait for a key that may have been written just before: KV accepts one write per second. */
const sameKeyWaitMs = 1100;
/** First wait for a key that is written or deleted once. */
export const freshKeyWaitMs = 100;

/**
 * Retries a failed KV operation with exponential backoff and jitter.
 *
 *
 * @throws the error of the last attempt; an EspalierError at once, since a retry would fail the same way
 */
export async function persist<Result>(
  operation: () => Promise<Result>,
  clock: Clock,
  firstWaitMs: number = sameKeyWaitMs,
  random: () => number = Math.random,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (attempt === tries || error instanceof EspalierError) throw error;
      await sleep(clock, firstWaitMs * 2 ** (attempt - 1) * (1 + random() / 4));
    }
  }
}
