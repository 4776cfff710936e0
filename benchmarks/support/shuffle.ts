import { createRandom } from "./random.ts";

/**
 * Returns the items in a pseudo-random order determined by a seed, so that a run can be repeated.
 */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  const random = createRandom(seed + 1);
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const moved = result[last] as T; // both indexes are within the list
    result[last] = result[other] as T;
    result[other] = moved;
  }
  return result;
}
