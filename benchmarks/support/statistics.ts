import { createRandom } from "./random.ts";
import { roundNumber } from "./round-number.ts";

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

/** Returns the median of some of the rounds, given by their indices. */
export function medianOf(samples: readonly number[], rounds: readonly number[]): number {
  return quantile(
    rounds.map((i) => samples[i] ?? Number.NaN),
    0.5,
  );
}

/** Number of resamples of the rounds for an interval. */
const resamples = 1_000;

/**
 * Returns a statistic of all rounds as `name`, and as `nameLow` and `nameHigh` the interval in which it lies with a
 * probability of 95 % if it is measured again. This is a bootstrap: it resamples sessions, and rounds within each of
 * them, since rounds of one process have more in common than those of two. The same samples always have the same
 * interval.
 * @param count number of rounds of all sessions, in their order
 * @param ofSession number of rounds of a session
 * @param statistic of rounds, given by their indices
 * @returns nothing if the statistic is not finite, such as a ratio to a time that noise has made negative
 */
export function withInterval(
  name: string,
  count: number,
  ofSession: number,
  statistic: (rounds: readonly number[]) => number,
): Record<string, number> {
  const random = createRandom(1);
  const below = (limit: number): number => Math.floor(random() * limit);
  const sessions = Math.ceil(count / ofSession);
  const values = Array.from({ length: resamples }, () => {
    const rounds = Array.from({ length: sessions }, () => {
      const first = below(sessions) * ofSession;
      const length = Math.min(ofSession, count - first);
      return Array.from({ length }, () => first + below(length));
    });
    return statistic(rounds.flat());
  });
  const value = statistic(Array.from({ length: count }, (_, i) => i));
  const [low, high] = [quantile(values, 0.025), quantile(values, 0.975)];
  if (![value, low, high].every(Number.isFinite)) return {};
  return {
    [name]: roundNumber(value),
    [`${name}Low`]: roundNumber(low),
    [`${name}High`]: roundNumber(high),
  };
}

/**
 * Returns how many times as long as another subject one takes, as {@link withInterval}; nothing unless both have the same
 * rounds.
 */
export function timesWithInterval(
  name: string,
  slower: Series,
  faster: Series,
  ofSession: number,
): Record<string, number> {
  const count = slower.samples.length;
  if (faster.samples.length !== count) return {};
  return withInterval(name, count, ofSession, (rounds) => {
    return medianOf(slower.samples, rounds) / medianOf(faster.samples, rounds);
  });
}
