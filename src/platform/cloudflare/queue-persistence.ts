import { type Clock, sleep } from "../../util/clock.ts";

const tries = 4;
/** KV takes one write a second to one key, and answers 429 to more. */
const firstWaitMs = 1100;

/**
 * Repeats an operation on KV that failed, after waits that grow and are spread by chance.
 *
 * @throws what the operation threw the last time
 */
export async function persist<Result>(
  operation: () => Promise<Result>,
  clock: Clock,
  random: () => number = Math.random,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (attempt === tries) throw error;
      await sleep(clock, firstWaitMs * 2 ** (attempt - 1) * (1 + random() / 4));
    }
  }
}
