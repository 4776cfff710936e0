import type { Queue } from "bullmq";
import { toBullmqName } from "./bullmq-jobs.ts";
import { removeJob } from "./remove-job.ts";

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
  if (job?.finishedOn !== undefined) await removeJob(queue, job, "finished");
  return true;
}
