import { Random } from "../../support/random.ts";

/** Returns a deterministic generator of numbers from 0 to below 1, for options that take a function. */
export function seededRandom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
