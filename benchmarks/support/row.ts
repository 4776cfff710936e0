import type { Result, ResultRow } from "../../scripts/runner/result.ts";

/** A measured value, as in the result file of every benchmark. */
export interface Row extends ResultRow {
  /** Ratio to Hono; above 1 is better. Undefined if meaningless. */
  readonly ratio: number | undefined;
  /** The quartiles of the samples whose median `value` is; equal to it for a single number. */
  readonly low: number;
  readonly high: number;
}

/** A subject that could not be measured in some case, with the reason. */
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
