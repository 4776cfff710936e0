import type { LeasedJob, QueueAdapter } from "../queue/queue-adapter.ts";

/** Pulls until `count` jobs have been received or a pull returns none. */
export async function pullAll(
  adapter: QueueAdapter,
  count: number,
  leaseMs: number,
): Promise<LeasedJob[]> {
  const jobs: LeasedJob[] = [];
  while (jobs.length < count) {
    const pulled = await adapter.pull(count - jobs.length, leaseMs);
    if (pulled.length === 0) break;
    jobs.push(...pulled);
  }
  return jobs;
}

/** Returns how many jobs there are of each name. */
export function countNames(jobs: readonly LeasedJob[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of jobs) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
