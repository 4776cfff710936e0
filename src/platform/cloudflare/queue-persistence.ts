import { EspalierError } from "../../errors.ts";
import { type Clock, sleep } from "../../util/clock.ts";

/** Tries of one operation; with these waits they end before the queue's deadline for it. */
const tries = 3;
/** Wait after the first failure where a key may have been written before: KV takes one write a second. */
const sameKeyWaitMs = 1100;
/** Wait after the first failure where a key is written or deleted once. */
export const freshKeyWaitMs = 100;

/**
 * Repeats an operation on KV that failed, after waits that double and are spread at random.
 *
 * @throws the error of the last try; an EspalierError at once, since it would come again
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
