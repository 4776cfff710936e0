import type { LeasedJob } from "../../../src/queue/queue-adapter.ts";

/** Returns a job as an adapter leases it. */
export function leasedJob(changes: Partial<LeasedJob> = {}): LeasedJob {
  return {
    id: "1",
    name: "mail",
    payload: null,
    enqueuedAt: 0,
    dueAt: 0,
    keepIdMs: 0,
    attempt: 1,
    maxAttempts: 3,
    priority: 0,
    backoff: {},
    lease: "lease-1",
    ...changes,
  };
}
