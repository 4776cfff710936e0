import type { Result, ResultRow } from "../../scripts/runner/result.ts";

/** One measured number, as every benchmark writes it into its JSON file. */
export interface Row extends ResultRow {
  /** Above 1 where it is better than Hono, as many times; undefined where that has no meaning. */
  readonly ratio: number | undefined;
  /** The quartiles of the samples whose median `value` is; equal to it for a single number. */
  readonly low: number;
  readonly high: number;
}

/** A subject that could not be measured in some case, and why. */
export interface Shortcoming {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly reason: string;
}

/** Result file of a benchmark. */
export interface Report extends Result<Row> {
  readonly shortcomings: readonly Shortcoming[];
  readonly skipped: readonly string[];
}
