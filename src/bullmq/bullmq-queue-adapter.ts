import {
  type Job,
  Queue,
  UnrecoverableError,
  WaitingError,
  Worker,
  type WorkerOptions,
} from "bullmq";
import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  JobState,
  LeasedJob,
  ListenRequest,
  QueueAdapter,
} from "../queue/queue-adapter.ts";
import {
  toBullmqName,
  toFailedJob,
  toJobOptions,
  toJobState,
  toLeasedJob,
  toSnapshot,
} from "./bullmq-jobs.ts";
import { type BullmqQueueAdapterOptions, checkBullmqOptions } from "./bullmq-options.ts";

type BullmqQueue = Queue<unknown, unknown, string>;
type BullmqWorker = Worker<unknown, unknown, string>;

/** A job that this process runs. */
interface HeldJob {
  readonly job: Job;
  readonly name: string;
  /** Token under which BullMQ has locked the job. */
  readonly token: string;
}

/** The attempts of a job that stalls are counted by the queue, like all others. */
const maxStalledCount = 1_000_000;
/** Length of the lock of a running job, in milliseconds; the longest is BullMQ's default. */
const maxLockMs = 30_000;
const minLockMs = 1000;

type StallOption = "lockDuration" | "stalledInterval" | "maxStalledCount";

/** Ids that no job had before: those that the queue generates. */
const randomId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Queue adapter over BullMQ: each name of a job is a queue of BullMQ with that name, whose jobs have the payload as
 * their data. Dashboards show them, and other producers may add some.
 *
 * @example app.useQueue(new BullmqQueueAdapter({ connection: { url: env.REDIS_URL } }));
 */
export class BullmqQueueAdapter implements QueueAdapter {
  readonly name = "bullmq";
  readonly #options: BullmqQueueAdapterOptions;
  /** By name of the job. */
  readonly #queues = new Map<string, BullmqQueue>();
  readonly #workers = new Set<BullmqWorker>();
  /** By lease. */
  readonly #held = new Map<string, HeldJob>();

  /** @throws EspalierError `ERR_BULLMQ_BAD_OPTION` */
  constructor(options: BullmqQueueAdapterOptions) {
    checkBullmqOptions(options);
    this.#options = options;
  }

  async push(jobs: readonly JobRecord[]): Promise<void> {
    const { keepCompleted = 0 } = this.#options;
    const pushes = Array.from(new Set(jobs.map(({ name }) => name)), async (name) => {
      const ofName = jobs.filter((job) => job.name === name);
      const queue = this.#queue(name);
      await Promise.all(ofName.map(({ id }) => removeEnded(queue, id)));
      await queue.addBulk(
        ofName.map((job) => ({ name, data: job.payload, opts: toJobOptions(job, keepCompleted) })),
      );
    });
    await Promise.all(pushes);
  }

  async listen(run: (job: LeasedJob) => Promise<void>, request: ListenRequest): Promise<void> {
    const { names, concurrency, leaseMs, signal } = request;
    const starts = Array.from(names, async ([name, ofName]) => {
      this.#queue(name);
      const worker: BullmqWorker = new Worker<unknown, unknown, string>(
        toBullmqName(name),
        async (job: Job, token = "") => await this.#process(job, name, token, run, signal),
        {
          ...this.#connection(),
          concurrency: Math.min(ofName, concurrency),
          ...stallOptions(leaseMs(name)),
        },
      );
      worker.on("error", (error) => this.#options.onError?.(error));
      this.#workers.add(worker);
      // It stops fetching at once, and closes when its jobs have ended.
      signal.addEventListener("abort", () => void worker.close().catch(() => {}), { once: true });
      if (signal.aborted) await worker.close();
      else await worker.waitUntilReady();
    });
    await Promise.all(starts);
  }

  async ack(_id: string, lease: string): Promise<boolean> {
    return await this.#end(lease, ({ job, token }) => job.moveToCompleted(null, token, false));
  }

  async retry(_id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#end(lease, async ({ job, name, token }) => {
      const now = Date.now();
      // The method of the job would not count the attempt.
      const { backend } = this.#queue(name);
      await backend.moveToDelayed(job.id ?? "", now, Math.max(0, atMs - now), token);
    });
  }

  async release(_id: string, lease: string): Promise<boolean> {
    return await this.#end(lease, ({ job, token }) => job.moveToWait(token));
  }

  async dead(_id: string, lease: string, error: string): Promise<boolean> {
    return await this.#end(lease, ({ job, token }) =>
      job.moveToFailed(new UnrecoverableError(error), token, false),
    );
  }

  /** Returns failed jobs of the names that this process has enqueued or handles. */
  async failed(limit: number): Promise<readonly FailedJob[]> {
    const byQueue = await Promise.all(
      Array.from(this.#queues, async ([name, queue]) =>
        (await queue.getFailed(0, limit - 1)).map((job) => toFailedJob(job, name)),
      ),
    );
    return byQueue
      .flat()
      .sort((one, other) => one.failedAt - other.failedAt)
      .slice(0, limit);
  }

  async retryFailed(id: string): Promise<boolean> {
    const found = await this.#find(id);
    if (found?.state !== "failed") return false;
    const { job, queue } = found;
    // BullMQ resets all counters but that of stalls.
    const client = await queue.backend.client;
    await client.hdel(queue.toKey(toBullmqName(id)), "stc");
    await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
    return true;
  }

  /** Counts the jobs of the names that this process has enqueued or handles. */
  async counts(): Promise<JobCounts> {
    const counts: Record<JobState, number> = { waiting: 0, delayed: 0, running: 0, failed: 0 };
    const states = ["waiting", "prioritized", "delayed", "active", "failed"] as const;
    const queues = Array.from(this.#queues.values());
    for (const found of await Promise.all(queues.map((queue) => queue.getJobCounts(...states)))) {
      for (const state of states) {
        const key = toJobState(state);
        if (key !== undefined) counts[key] += found[state] ?? 0;
      }
    }
    return counts;
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    const found = await this.#find(id);
    return found === undefined ? undefined : toSnapshot(found.job, found.name, found.state);
  }

  async cancel(id: string): Promise<boolean> {
    const found = await this.#find(id);
    if (found?.state !== "waiting" && found?.state !== "delayed") return false;
    try {
      await found.job.remove();
      return true;
    } catch (error) {
      // It began to run meanwhile.
      if ((await found.queue.getJobState(toBullmqName(id))) === "active") return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    const closing = [...this.#workers, ...this.#queues.values()].map((part) => part.close());
    this.#workers.clear();
    this.#queues.clear();
    await Promise.all(closing);
  }

  #queue(name: string): BullmqQueue {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = new Queue<unknown, unknown, string>(toBullmqName(name), this.#connection());
      queue.on("error", (error) => this.#options.onError?.(error));
      this.#queues.set(name, queue);
    }
    return queue;
  }

  #connection(): Pick<BullmqQueueAdapterOptions, "connection" | "prefix"> {
    const { connection, prefix = "bull" } = this.#options;
    return { connection, prefix };
  }

  /** Runs a job, which ends by a call of `ack`, `retry`, `release` or `dead`. */
  async #process(
    job: Job,
    name: string,
    token: string,
    run: (job: LeasedJob) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const lease = crypto.randomUUID();
    this.#held.set(lease, { job, name, token });
    if (signal.aborted) await this.release(job.id ?? "", lease);
    else await run(toLeasedJob(job, name, lease));
    if (this.#held.has(lease)) await this.#deliverAgain(job, lease);
    // Tells BullMQ that the job has been moved already.
    throw new WaitingError();
  }

  /** Returns a job without a result, because Redis failed. If it fails again, the job is delivered once its lock expires. */
  async #deliverAgain(job: Job, lease: string): Promise<void> {
    try {
      await this.retry(job.id ?? "", lease, Date.now());
    } catch {
      this.#held.delete(lease);
    }
  }

  /** Moves a job out of the running ones; returns false if it is not locked by its token any more. */
  async #end(lease: string, move: (held: HeldJob) => Promise<unknown>): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held === undefined) return false;
    try {
      await move(held);
    } catch (error) {
      if (!isStale(error)) throw error;
      this.#held.delete(lease);
      return false;
    }
    this.#held.delete(lease);
    return true;
  }

  async #find(
    id: string,
  ): Promise<{ job: Job; queue: BullmqQueue; name: string; state: JobState } | undefined> {
    const jobId = toBullmqName(id);
    for (const [name, queue] of this.#queues) {
      const job = await queue.getJob(jobId);
      const state = job === undefined ? undefined : toJobState(await queue.getJobState(jobId));
      if (job !== undefined && state !== undefined) return { job, queue, name, state };
    }
    return undefined;
  }
}

/**
 * Options for jobs of processes that died. BullMQ renews the lock of a job while it runs, so that a lock may be
 * shorter than the lease.
 */
function stallOptions(leaseMs: number): Pick<WorkerOptions, StallOption> {
  const lockDuration = Math.min(maxLockMs, Math.max(minLockMs, leaseMs));
  return { lockDuration, stalledInterval: lockDuration, maxStalledCount };
}

/** Removes a completed or failed job with that id, which BullMQ would take for a pending one. */
async function removeEnded(queue: BullmqQueue, id: string): Promise<void> {
  if (randomId.test(id)) return;
  const job = await queue.getJob(toBullmqName(id));
  if (job?.finishedOn !== undefined) await job.remove();
}

/** True for an error of BullMQ about a job that is gone, or locked by another token. */
function isStale(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  const missingJob = -1;
  const missingLock = -2;
  const notActive = -3;
  const otherLock = -6;
  return [missingJob, missingLock, notActive, otherLock].includes(Number(error.code));
}
