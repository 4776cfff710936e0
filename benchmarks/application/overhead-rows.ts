import { baseline, ours } from "../support/report.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { medianOf, quantile, type Series, withInterval } from "../support/statistics.ts";
import { responseAloneName } from "./subjects/subject.ts";

/** Name of the handler without a framework. */
const bareName = "bare";

/**
 * Returns the overhead of each framework compared with the handler without one, in nanoseconds: the
 * median of the differences per round, so that slow moments of the machine cancel out. `ratio` is
 * Hono's overhead divided by this one. `more` has the time of the whole request as `whole`, and with their intervals
 * (see {@link withInterval}):
 * - `median`: the overhead
 * - `behind`: how much longer a framework takes than the best one
 * - `ours`, of a peer: Espalier's overhead beyond its response alone, divided by that of the peer
 * @param ofSession number of rounds of a session
 */
export function overheadRows(
  application: string,
  runtime: string,
  series: readonly Series[],
  ofSession: number,
): Row[] {
  const bare = series.find(({ subject }) => subject === bareName)?.samples;
  if (bare === undefined) return [];
  const overheads = new Map(
    series.map(({ subject, samples }) => [subject, difference(samples, bare)]),
  );
  const median = (subject: string): number => quantile(overheads.get(subject) ?? [], 0.5);
  const frameworks = [...overheads.keys()]
    .filter((subject) => subject !== bareName && subject !== responseAloneName)
    .toSorted((a, b) => median(a) - median(b));
  const best = overheads.get(frameworks[0] ?? "") ?? [];
  const response = overheads.get(responseAloneName);
  const beyond = response && difference(overheads.get(ours) ?? [], response);
  const measure = (name: string, statistic: (rounds: readonly number[]) => number) =>
    withInterval(name, bare.length, ofSession, statistic);

  return series.map(({ subject, samples }) => {
    const overhead = overheads.get(subject) ?? [];
    const behind = difference(overhead, best);
    // Noise can make a small overhead negative; a ratio to it would be meaningless.
    const timesPeer = (rounds: readonly number[]): number => {
      const peer = medianOf(overhead, rounds);
      return peer > 0 ? Math.max(medianOf(beyond ?? [], rounds), 0) / peer : Infinity;
    };
    const isFramework = frameworks.includes(subject);
    const isComparable = median(baseline) > 0 && median(subject) > 0;
    return {
      case: application,
      runtime,
      subject,
      value: roundNumber(median(subject)),
      unit: "ns",
      ratio: isComparable ? roundNumber(median(baseline) / median(subject)) : undefined,
      low: roundNumber(quantile(overhead, 0.25)),
      high: roundNumber(quantile(overhead, 0.75)),
      more: {
        whole: roundNumber(quantile(samples, 0.5)),
        ...measure("median", (rounds) => medianOf(overhead, rounds)),
        ...(isFramework ? measure("behind", (rounds) => medianOf(behind, rounds)) : {}),
        ...(isFramework && subject !== ours ? measure("ours", timesPeer) : {}),
      },
    };
  });
}

/** Returns the differences of two subjects per round. */
function difference(minuend: readonly number[], subtrahend: readonly number[]): readonly number[] {
  return minuend.map((ns, i) => ns - (subtrahend[i] ?? Number.NaN));
}
