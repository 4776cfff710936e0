import { type Job, Queue, UnrecoverableError } from "bullmq";
import type {
  FailedJob,
  JobCounts,
  JobSnapshot,
  JobState,
  LeasedJob,
  ListenRequest,
  NewJobRecord,
  QueueAdapter,
  QueueFeature,
} from "../queue/queue-adapter.ts";
import { type BullmqQueue, freeId } from "./bullmq-ids.ts";
import {
  isStale,
  toBullmqName,
  toFailedJob,
  toJobOptions,
  toJobState,
  toLeasedJob,
  toSnapshot,
} from "./bullmq-jobs.ts";
import { type BullmqQueueAdapterOptions, checkBullmqOptions } from "./bullmq-options.ts";
import { closePart } from "./close-part.ts";
import { completeJob, JobWorker, type MovedJob, type NextJob, stallOptions } from "./job-worker.ts";
import { removeJob } from "./remove-job.ts";

/** A job that this process runs. */
interface HeldJob {
  readonly job: Job;
  readonly name: string;
  /** Token under which BullMQ has locked the job. */
  readonly token: string;
  /** Aborted when no further job is to begin. */
  readonly signal: AbortSignal;
  /** The call that ends the job: it may take effect after its caller has stopped waiting. */
  ending?: Promise<boolean> | undefined;
  /** The job that BullMQ fetched in that call. */
  next?: NextJob | undefined;
}

/** A stored job, found by its id. */
interface FoundJob {
  readonly job: Job;
  readonly queue: BullmqQueue;
  readonly name: string;
  readonly state: JobState;
}

/**
 * Queue adapter over BullMQ: each name of a job is a queue of BullMQ with that name, whose jobs have the payload as
 * their data. Dashboards show them, and other producers may add some.
 *
 * @example app.useQueue(new BullmqQueueAdapter({ connection: { url: env.REDIS_URL } }));
 */
export class BullmqQueueAdapter implements QueueAdapter {
  readonly name = "bullmq";
  readonly features: readonly QueueFeature[] = ["keepIdMs"];
  readonly #options: BullmqQueueAdapterOptions;
  /** By name of the job. */
  readonly #queues = new Map<string, BullmqQueue>();
  readonly #workers = new Set<JobWorker>();
  /** By lease. */
  readonly #held = new Map<string, HeldJob>();
  /** Number of leases so far; BullMQ's own token protects a job from other processes. */
  #leases = 0;

  /** @throws EspalierError `ERR_BULLMQ_BAD_OPTION` */
  constructor(options: BullmqQueueAdapterOptions) {
    checkBullmqOptions(options);
    this.#options = options;
  }

  async push(jobs: readonly NewJobRecord[]): Promise<void> {
    const names = new Set(jobs.map(({ name }) => name));
    const pushes = Array.from(names, (name) =>
      this.#pushTo(
        this.#queue(name),
        jobs.filter((job) => job.name === name),
      ),
    );
    await Promise.all(pushes);
  }

  async #pushTo(queue: BullmqQueue, jobs: readonly NewJobRecord[]): Promise<void> {
    const { keepCompleted = 0 } = this.#options;
    const isFree = await Promise.all(
      jobs.map(({ id, hasGeneratedId = false }) => hasGeneratedId || freeId(queue, id)),
    );
    const added = jobs
      .filter((_job, index) => isFree[index])
      .map((job) => ({
        name: job.name,
        data: job.payload,
        opts: toJobOptions(job, keepCompleted),
      }));
    const [first] = added;
    if (first === undefined) return;
    // A pipeline of a single job would cost more.
    if (added.length === 1) await queue.add(first.name, first.data, first.opts);
    else await queue.addBulk(added);
  }

  async listen(run: (job: LeasedJob) => Promise<void>, request: ListenRequest): Promise<void> {
    const { names, concurrency, leaseMs, signal } = request;
    const starts = Array.from(names, async ([name, ofName]) => {
      this.#queue(name);
      const worker = new JobWorker(
        toBullmqName(name),
        (job: Job, token = "") => this.#process({ job, name, token, signal }, run),
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
    return await this.#end(lease, async (held) => {
      held.next = await completeJob(held.job, held.token, !held.signal.aborted);
    });
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
    try {
      await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
      return true;
    } catch (error) {
      // Another process has retried or discarded it.
      if (isStale(error)) return false;
      throw error;
    }
  }

  async discardFailed(id: string): Promise<boolean> {
    const found = await this.#find(id);
    return found?.state === "failed" && (await removeJob(found.queue, found.job, "failed"));
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
    const isPending = found?.state === "waiting" || found?.state === "delayed";
    return isPending && (await removeJob(found.queue, found.job, "pending"));
  }

  async close(): Promise<void> {
    // Only clients have this method, not options of a connection.
    const ownsClient = !("disconnect" in this.#options.connection);
    const parts = [...this.#workers, ...this.#queues.values()];
    const closing = parts.map((part) => closePart(part, ownsClient));
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
  async #process(held: HeldJob, run: (job: LeasedJob) => Promise<void>): Promise<MovedJob> {
    const { job, name, signal } = held;
    this.#leases += 1;
    const lease = String(this.#leases);
    this.#held.set(lease, held);
    if (signal.aborted) await this.release(job.id ?? "", lease);
    else await run(toLeasedJob(job, name, lease));
    if (this.#held.has(lease)) await this.#deliverAgain(job, lease);
    return { next: held.next };
  }

  /**
   * Returns a job without a result, because Redis failed, or waits for a call that is still in progress. If that
   * fails, the job is delivered once its lock expires.
   */
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
    held.ending ??= this.#move(lease, held, move);
    return await held.ending;
  }

  async #move(
    lease: string,
    held: HeldJob,
    move: (held: HeldJob) => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await move(held);
    } catch (error) {
      held.ending = undefined;
      if (!isStale(error)) throw error;
      this.#held.delete(lease);
      return false;
    }
    this.#held.delete(lease);
    return true;
  }

  async #find(id: string): Promise<FoundJob | undefined> {
    const jobId = toBullmqName(id);
    for (const [name, queue] of this.#queues) {
      const job = await queue.getJob(jobId);
      const state = job === undefined ? undefined : toJobState(await queue.getJobState(jobId));
      if (job !== undefined && state !== undefined) return { job, queue, name, state };
    }
    return undefined;
  }
}
