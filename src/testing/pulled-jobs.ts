import type { JobRecord, LeasedJob, QueueAdapter } from "../queue/queue-adapter.ts";

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

/** Returns a function that creates jobs with ids of their own, due now. */
export function createJobFactory(now: () => number): (changes?: Partial<JobRecord>) => JobRecord {
  let count = 0;
  return (changes = {}) => {
    count += 1;
    const time = now();
    return {
      id: `job-${count}`,
      name: "test",
      payload: { count },
      attempt: 0,
      maxAttempts: 3,
      priority: 0,
      enqueuedAt: time,
      dueAt: time,
      backoff: {},
      ...changes,
    };
  };
}
