import { baseline } from "../support/report.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { quantile, type Series } from "../support/statistics.ts";

/** The name of the handler without a framework. */
const bareName = "bare";

/**
 * What each framework takes longer than the handler without one, in nanoseconds: the difference in
 * each round, in which both ran, so that a slow minute of the machine cancels out. `ratio` is how
 * many times less that is than Hono's; `more.whole` is the time of the whole request.
 */
export function overheadRows(
  application: string,
  runtime: string,
  series: readonly Series[],
): Row[] {
  const bare = series.find(({ subject }) => subject === bareName);
  if (bare === undefined) return [];
  const overheads = series.map(({ subject, samples }) => ({
    subject,
    whole: quantile(samples, 0.5),
    samples: samples.map((ns, i) => ns - (bare.samples[i] ?? Number.NaN)),
  }));
  const hono = overheads.find(({ subject }) => subject === baseline);
  const honoValue = quantile(hono?.samples ?? [], 0.5);
  return overheads.map(({ subject, whole, samples }) => {
    const value = quantile(samples, 0.5);
    // Noise larger than an overhead can make it negative, and a ratio of such numbers says nothing.
    const isComparable = honoValue > 0 && value > 0;
    return {
      case: application,
      runtime,
      subject,
      value: roundNumber(value),
      unit: "ns",
      ratio: isComparable ? roundNumber(honoValue / value) : undefined,
      low: roundNumber(quantile(samples, 0.25)),
      high: roundNumber(quantile(samples, 0.75)),
      more: { whole: roundNumber(whole) },
    };
  });
}
