import type { FailedJob, JobCounts, JobSnapshot, JobState } from "../../queue/queue-adapter.ts";
import { decodePayload, type StoredFailure, type StoredJob } from "./kv-queue-records.ts";
import type { DenoKv } from "./kv-queue-types.ts";

/** Lists at most `limit` failed jobs, ordered by id. */
export async function listFailed(
  kv: DenoKv,
  prefix: string,
  limit: number,
): Promise<readonly FailedJob[]> {
  const failed: FailedJob[] = [];
  const entries = kv.list<StoredFailure>({ prefix: [prefix, "dead"] }, { limit });
  for await (const { value } of entries) {
    if (value === null) continue;
    const { id, name, attempt, maxAttempts, error, failedAt } = value;
    const attempts = Math.min(attempt, maxAttempts);
    failed.push({ id, name, payload: decodePayload(value), attempts, error, failedAt });
  }
  return failed;
}

/** Counts the jobs of each state, by reading all of them. */
export async function countJobs(kv: DenoKv, prefix: string, now: number): Promise<JobCounts> {
  const counts = { waiting: 0, delayed: 0, running: 0, failed: 0 };
  for await (const { value } of kv.list<StoredJob>({ prefix: [prefix, "job"] })) {
    if (value !== null) counts[stateOf(value, now)] += 1;
  }
  for await (const { value } of kv.list({ prefix: [prefix, "dead"] })) {
    if (value !== null) counts.failed += 1;
  }
  return counts;
}

/** Returns the pending or failed job with that id; undefined if there is none. */
export async function findJob(
  kv: DenoKv,
  prefix: string,
  id: string,
  now: number,
): Promise<JobSnapshot | undefined> {
  const { value } = await kv.get<StoredJob>([prefix, "job", id]);
  if (value !== null) return describeJob(value, stateOf(value, now));
  const failure = (await kv.get<StoredFailure>([prefix, "dead", id])).value;
  if (failure === null) return undefined;
  const { maxAttempts, error } = failure;
  const attempt = Math.min(failure.attempt, maxAttempts);
  return { ...describeJob(failure, "failed"), attempt, error };
}

function stateOf({ lease, dueAt }: StoredJob, now: number): "waiting" | "delayed" | "running" {
  if (lease !== undefined) return "running";
  return dueAt > now ? "delayed" : "waiting";
}

function describeJob(job: StoredJob, state: JobState): JobSnapshot {
  const { id, name, attempt, maxAttempts, enqueuedAt } = job;
  return { id, name, payload: decodePayload(job), state, attempt, maxAttempts, enqueuedAt };
}
