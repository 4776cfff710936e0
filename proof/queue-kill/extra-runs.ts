/** Lease of jobs in worker.ts. */
export const leaseMs = 4_000;

/** Runs beyond the expected ones, by reason. */
export interface ExtraRuns {
  /** Jobs that were running at the kill, and ran again. */
  readonly cutOff: number;
  /** Runs that started after the lease of the previous run had expired, on a slow machine. */
  readonly leaseRanOut: number;
  /** Unexplained runs. */
  readonly unexplained: number;
}

/**
 * Counts the extra runs.
 *
 * @param allRuns `<id>/<start time>/<unique>` for each
 * @param inFlight jobs that were leased when the process was killed
 */
export function countExtraRuns(
  allRuns: readonly string[],
  inFlight: ReadonlySet<string>,
): ExtraRuns {
  const extra = { cutOff: 0, leaseRanOut: 0, unexplained: 0 };
  const runsOf = Map.groupBy(allRuns, (run) => run.slice(0, run.indexOf("/")));
  for (const [id, runs] of runsOf) {
    let more = Math.max(0, runs.length - expectedRuns(id));
    if (more > 0 && inFlight.has(id)) {
      extra.cutOff += 1;
      more -= 1;
    }
    const began = runs.map((run) => Number(run.split("/")[1])).sort((a, b) => a - b);
    const isLate = (at: number, index: number): boolean =>
      index > 0 && at - (began[index - 1] ?? at) >= leaseMs * 0.9;
    const explained = Math.min(more, began.filter(isLate).length);
    extra.leaseRanOut += explained;
    extra.unexplained += more - explained;
  }
  return extra;
}

/** Returns the number of runs of an uninterrupted job, which worker.ts derives from its number. */
function expectedRuns(id: string): number {
  const number = Number(id.slice("job-".length));
  if (number % 20 === 0) return 5;
  return number % 7 === 0 ? 2 : 1;
}
