import type { Job, Queue } from "bullmq";
import { toBullmqName } from "./bullmq-jobs.ts";

/** Queue of BullMQ for the jobs of one name. */
export type BullmqQueue = Queue<unknown, unknown, string>;

/**
 * Removes a completed or failed job with an id that the caller has chosen, which BullMQ would take for a pending one.
 *
 * @returns false if the id stays taken by an earlier job with `keepIdMs`
 */
export async function freeId(queue: BullmqQueue, id: string): Promise<boolean> {
  const jobId = toBullmqName(id);
  const [takenBy, job] = await Promise.all([
    queue.getDeduplicationJobId(jobId),
    queue.getJob(jobId),
  ]);
  if (takenBy !== null) return false;
  if (job?.finishedOn !== undefined) await job.remove();
  return true;
}

/** Removes a job. Its id stays taken for the rest of `keepIdMs`, which BullMQ would forget. */
export async function removeJob(queue: BullmqQueue, job: Job): Promise<void> {
  const { id = "", timestamp, opts } = job;
  await job.remove();
  const leftMs = timestamp + (opts.deduplication?.ttl ?? 0) - Date.now();
  if (leftMs <= 0) return;
  const client = await queue.backend.client;
  await client.set(queue.toKey(`de:${id}`), id, { PX: leftMs });
}
