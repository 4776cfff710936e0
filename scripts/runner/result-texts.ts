import type { RecordedResult } from "./result-files.ts";

/** Returns the number of inputs of a proof, or of rows of a benchmark. */
export function describeInputs({ inputs, rows }: RecordedResult): string {
  return inputs === undefined ? `${rows.length} rows` : inputs.toLocaleString("en");
}

/** Returns a duration as seconds or minutes; a dash if it was not recorded. */
export function describeDuration(seconds: number | null): string {
  if (seconds === null) return "–";
  return seconds < 120 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`;
}

/** Returns the short hash of the commit. */
export function describeBuildOf({ build }: Pick<RecordedResult, "build">): string {
  return `${build.commit.slice(0, 9)}${build.isModified ? " modified" : ""}`;
}

/** Returns `passed`, the number of faults, or the reason why the proof was skipped. */
export function describeVerdict({ passed, skippedBecause, rows }: RecordedResult): string {
  if (skippedBecause !== undefined) return `skipped: ${skippedBecause}`;
  if (passed === undefined) return "measured";
  if (passed) return "passed";
  const faults = rows.reduce((sum, row) => sum + (row.faults?.length ?? 0), 0);
  return `${faults} faults`;
}
