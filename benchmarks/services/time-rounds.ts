import { roundNumber } from "../support/round-number.ts";
import type { Row } from "../support/row.ts";
import { shuffle } from "../support/shuffle.ts";
import { medianRatio, quantile, type Series } from "../support/statistics.ts";

/** Something to measure; resolves to one sample. */
export type Sample = () => Promise<number>;

/** A case that is measured in rounds. */
export interface CaseOfRounds {
  readonly case: string;
  readonly unit: string;
  /** Subject of the ratios. */
  readonly baseline: string;
  /** True if a larger number is better. */
  readonly isRate: boolean;
  readonly rounds: number;
}

/** Takes one sample of each subject in each round, in changing order, and returns a row for each. */
export async function timeRounds(
  { case: name, unit, baseline, isRate, rounds }: CaseOfRounds,
  subjects: Readonly<Record<string, Sample>>,
): Promise<Row[]> {
  const samples = new Map(Object.keys(subjects).map((subject) => [subject, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [subject, sample] of shuffle(Object.entries(subjects), round)) {
      samples.get(subject)?.push(await sample());
    }
  }
  const seriesOf = (subject: string): Series => ({ subject, samples: samples.get(subject) ?? [] });
  return Object.keys(subjects).map((subject) => {
    const series = seriesOf(subject);
    const [value, low, high] = [0.5, 0.25, 0.75].map((share) =>
      roundNumber(quantile(series.samples, share)),
    ) as [number, number, number];
    const of = seriesOf(baseline);
    const ratio = roundNumber(isRate ? medianRatio(series, of) : medianRatio(of, series));
    return { case: name, runtime: "node", subject, unit, value, low, high, ratio };
  });
}
