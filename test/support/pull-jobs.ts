import type {
  JobCounts,
  LeasedJob,
  ListenRequest,
  PullRequest,
} from "../../src/queue/queue-adapter.ts";

interface Pulled {
  pull(request: PullRequest): Promise<readonly LeasedJob[]>;
}

/** Pulls jobs of these names, or up to a number of each, with leases of `leaseMs`. */
export function pullJobs(
  adapter: Pulled,
  max: number,
  leaseMs: number,
  names: readonly string[] | ReadonlyMap<string, number> = ["x"],
): Promise<readonly LeasedJob[]> {
  const limits =
    "length" in names ? new Map(names.map((name) => [name, Number.POSITIVE_INFINITY])) : names;
  return adapter.pull({ max, names: limits, leaseMs: () => leaseMs });
}

/** Returns the number of jobs that have not ended. */
export async function countPending(adapter: { counts(): Promise<JobCounts> }): Promise<number> {
  const { waiting, delayed, running } = await adapter.counts();
  return waiting + delayed + running;
}

/** Request of a listening test: these names, until the signal is aborted. */
export function listenRequest(
  names: readonly string[] = ["x"],
  signal: AbortSignal = new AbortController().signal,
): ListenRequest {
  const limits = new Map(names.map((name) => [name, 10]));
  return { names: limits, concurrency: 50, leaseMs: () => 45_000, signal };
}
