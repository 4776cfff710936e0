import { type Job, type JobJson, Worker, type WorkerOptions } from "bullmq";

/** The attempts of a job that stalls are counted by the queue, like all others. */
const maxStalledCount = 1_000_000;
/** Length of the lock of a running job, in milliseconds; the longest is BullMQ's default. */
const maxLockMs = 30_000;
const minLockMs = 1000;

type StallOption = "lockDuration" | "stalledInterval" | "maxStalledCount";

/** How the processor of a {@link JobWorker} has moved a job out of the running ones. */
export interface MovedJob {
  /** The job that Redis returned in the same call; undefined if there was none. */
  readonly next: NextJob | undefined;
}

/** A job that is locked for the worker. */
export interface NextJob {
  readonly id: string;
  readonly data: JobJson;
}

type JobOfWorker = Job<unknown, MovedJob, string>;

/**
 * Worker whose processor moves each job by itself. It continues with the job that was fetched in the same call, as a
 * worker of BullMQ does: one call of Redis for each job, instead of two.
 */
export class JobWorker extends Worker<unknown, MovedJob, string> {
  protected override async handleCompleted(
    { next }: MovedJob,
    _job: JobOfWorker,
    token: string,
  ): Promise<JobOfWorker> {
    // Without a next job, the main loop looks for one, and for the time of the next delayed job.
    if (next === undefined) return undefined as unknown as JobOfWorker; // as BullMQ does, whose type omits it
    return await this.nextJobFromJobData(next.data, next.id, token);
  }
}

/** Completes a job, and returns the next one of its queue if `fetchNext` is true and one is due. */
export async function completeJob(
  job: Job,
  token: string,
  fetchNext: boolean,
): Promise<NextJob | undefined> {
  const result: unknown = await job.moveToCompleted(null, token, fetchNext);
  if (!Array.isArray(result)) return undefined;
  const [data, id] = result as [JobJson | null | undefined, string]; // the type of BullMQ is any[]
  return data === null || data === undefined ? undefined : { data, id };
}

/**
 * Options for jobs of processes that died. BullMQ renews the lock of a job while it runs, so that a lock may be
 * shorter than the lease.
 */
export function stallOptions(leaseMs: number): Pick<WorkerOptions, StallOption> {
  const lockDuration = Math.min(maxLockMs, Math.max(minLockMs, leaseMs));
  return { lockDuration, stalledInterval: lockDuration, maxStalledCount };
}
