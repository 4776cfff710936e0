import { baseline } from "../support/report.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { quantile, type Series } from "../support/statistics.ts";

/** Name of the handler without a framework. */
const bareName = "bare";

/**
 * Returns the overhead of each framework compared with the handler without one, in nanoseconds: the
 * median of the differences per round, so that slow moments of the machine cancel out. `ratio` is
 * Hono's overhead divided by this one; `more.whole` is the time of the whole request.
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
    // Noise can make a small overhead negative; the ratio would then be meaningless.
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
