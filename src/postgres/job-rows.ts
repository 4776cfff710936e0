import type { FailedJob, JobSnapshot, LeasedJob, NewJobRecord } from "../queue/queue-adapter.ts";
import type { PostgresRow } from "./postgres-client.ts";

/**
 * Jobs as one parameter, the JSON text of a list. `waitMs` is the time until a job is due, because the clocks of
 * the process and of the server may differ.
 */
export function encodeJobs(jobs: readonly NewJobRecord[], nowMs: number): string {
  return JSON.stringify(
    jobs.map(({ dueAt, ...job }) => ({
      ...job,
      // Encoded separately, so that the server stores the string that was enqueued, unchanged.
      payload: JSON.stringify(job.payload),
      backoff: JSON.stringify(job.backoff),
      waitMs: dueAt - nowMs,
    })),
  );
}

/** Columns of {@link encodeJobs}, for `json_to_recordset`. */
export const encodedColumns: string =
  'id text, name text, payload text, priority int, "maxAttempts" int, "enqueuedAt" float8, ' +
  '"keepIdMs" float8, backoff text, "waitMs" float8, attempt int, "hasGeneratedId" bool';

/** Columns of a job for the functions below, each of a type that all clients return as a string or a number. */
export const jobColumns: string =
  "id, name, payload::text as payload, priority, attempt, max_attempts, keep_id_ms, backoff::text as backoff, " +
  "round(extract(epoch from enqueued_at) * 1000)::float8 as enqueued_at";

export function toLeasedJob(row: PostgresRow): LeasedJob {
  return {
    ...toIdentity(row),
    keepIdMs: Number(row["keep_id_ms"]),
    attempt: Number(row["attempt"]),
    maxAttempts: Number(row["max_attempts"]),
    priority: Number(row["priority"]),
    enqueuedAt: Number(row["enqueued_at"]),
    dueAt: Number(row["due_at"]),
    backoff: JSON.parse(String(row["backoff"])),
    lease: String(row["lease"]),
  };
}

export function toFailedJob(row: PostgresRow): FailedJob {
  return {
    ...toIdentity(row),
    // A job whose process died in its last attempt is leased once more, to fail.
    attempts: Math.min(Number(row["attempt"]), Number(row["max_attempts"])),
    error: String(row["error"]),
    failedAt: Number(row["failed_at"]),
  };
}

export function toSnapshot(row: PostgresRow): JobSnapshot {
  const { error } = row;
  return {
    ...toIdentity(row),
    state: row["state"] as JobSnapshot["state"], // one of four constants of the statement
    attempt: Number(row["attempt"]),
    maxAttempts: Number(row["max_attempts"]),
    enqueuedAt: Number(row["enqueued_at"]),
    ...(typeof error === "string" ? { error } : {}),
  };
}

function toIdentity(row: PostgresRow): { id: string; name: string; payload: unknown } {
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    payload: JSON.parse(String(row["payload"])),
  };
}
