/** Samples of one subject by round; the same index is the same round for every subject. */
export interface Series {
  readonly subject: string;
  readonly samples: readonly number[];
}

/** Returns a quantile of the samples; 0.5 is the median. NaN without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * Returns the median of the ratios of two subjects per round. Both run consecutively in a round, so
 * slow moments of the machine cancel out.
 */
export function medianRatio(slower: Series, faster: Series): number {
  const ratios = slower.samples.map((sample, i) => sample / (faster.samples[i] ?? Number.NaN));
  return quantile(ratios, 0.5);
}
