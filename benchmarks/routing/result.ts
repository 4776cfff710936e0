import type { Result as AnyResult, ResultRow } from "../../scripts/runner/result.ts";

/** A measured value. */
export interface Row extends ResultRow {
  readonly unit: "ns" | "ms" | "KiB" | "times";
  /** Value of Hono's default router divided by this one; undefined if that was not measured. */
  readonly ratio: number | undefined;
  /** The quartiles of the samples whose median `value` is; equal to it for a single number. */
  readonly low: number;
  readonly high: number;
}

/** Comparison of Espalier in one case: above 1 is faster, below 1 slower. */
export interface Comparison {
  readonly case: string;
  readonly runtime: string;
  readonly againstHono: number | undefined;
  readonly fastestPeer: string;
  readonly againstFastestPeer: number | undefined;
}

/** A router that is not measured, or has wrong results, in some case. */
export interface Shortcoming {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly measured: boolean;
  readonly reason: string;
}

/** Result file of a run. */
export interface Result extends AnyResult<Row> {
  readonly comparisons: readonly Comparison[];
  readonly shortcomings: readonly Shortcoming[];
  readonly skipped: readonly string[];
}
