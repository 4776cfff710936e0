import type { Result as AnyResult, ResultRow } from "../../scripts/runner/result.ts";

/** One measured number. */
export interface Row extends ResultRow {
  readonly unit: "ns" | "ms" | "KiB" | "times";
  /** How many times less than Hono's default router it is; undefined where that was not measured. */
  readonly ratio: number | undefined;
  /** The quartiles of the samples whose median `value` is; equal to it for a single number. */
  readonly low: number;
  readonly high: number;
}

/** How ours stands in one case: above 1 it is faster, below 1 slower. */
export interface Comparison {
  readonly case: string;
  readonly runtime: string;
  readonly againstHono: number | undefined;
  readonly fastestPeer: string;
  readonly againstFastestPeer: number | undefined;
}

/** A router that is not measured, or is not right about everything, in some case. */
export interface Shortcoming {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly measured: boolean;
  readonly reason: string;
}

/** A whole run, as `--json` writes it. */
export interface Result extends AnyResult<Row> {
  readonly comparisons: readonly Comparison[];
  readonly shortcomings: readonly Shortcoming[];
  readonly skipped: readonly string[];
}
