import type { StoredFailure, StoredJob } from "./kv-queue-records.ts";
import type { DenoKv } from "./kv-queue-types.ts";

/** Deletes a job that is not running; returns false if it runs, or does not exist. */
export async function cancelJob(kv: DenoKv, prefix: string, id: string): Promise<boolean> {
  const entry = await kv.get<StoredJob>([prefix, "job", id]);
  if (entry.value === null || entry.value.lease !== undefined) return false;
  return (await kv.atomic().check(entry).delete(entry.key).commit()).ok;
}

/** Deletes a failed job; returns false if it does not exist. */
export async function discardFailure(kv: DenoKv, prefix: string, id: string): Promise<boolean> {
  const entry = await kv.get<StoredFailure>([prefix, "dead", id]);
  if (entry.value === null) return false;
  return (await kv.atomic().check(entry).delete(entry.key).commit()).ok;
}
