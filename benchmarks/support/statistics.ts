/** What one subject took, round by round; the same index is the same round for every subject. */
export interface Series {
  readonly subject: string;
  readonly samples: readonly number[];
}

/** The value below which a share of some samples lies; 0.5 is the median. NaN without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * How many times longer one subject took than another: the median of the ratios of each round, in
 * which the two ran right after each other, so that a slow minute of the machine cancels out.
 */
export function medianRatio(slower: Series, faster: Series): number {
  const ratios = slower.samples.map((sample, i) => sample / (faster.samples[i] ?? Number.NaN));
  return quantile(ratios, 0.5);
}
