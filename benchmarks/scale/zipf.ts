import type { Random } from "../support/random.ts";

/**
 * Returns a generator of integers below `size`, the n-th with weight `1 / n ** exponent` (Zipf), in
 * constant time by Walker's alias method.
 */
export function createZipf(size: number, exponent: number, random: Random): () => number {
  const weights = Float64Array.from({ length: size }, (_, at) => 1 / (at + 1) ** exponent);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / size;
  const share = weights.map((weight) => weight / mean);
  const alias = Uint32Array.from({ length: size }, (_, at) => at);
  const poor: number[] = [];
  const rich: number[] = [];
  share.forEach((value, at) => {
    (value < 1 ? poor : rich).push(at);
  });
  while (poor.length > 0 && rich.length > 0) {
    const taker = poor.pop() ?? 0;
    const giver = rich[rich.length - 1] ?? 0;
    alias[taker] = giver;
    share[giver] = (share[giver] ?? 0) - (1 - (share[taker] ?? 0));
    if ((share[giver] ?? 0) < 1) {
      rich.pop();
      poor.push(giver);
    }
  }
  return () => {
    const at = Math.floor(random() * size);
    return random() < (share[at] ?? 1) ? at : (alias[at] ?? at);
  };
}
