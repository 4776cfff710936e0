import type { StoreCaller } from "../resilience/store-caller.ts";
import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "./queue-adapter.ts";

/**
 * Calls of a worker have this many times as long as `push`: a pull may lease many jobs one by one, and no
 * client waits for it.
 */
const workerTimeoutFactor = 5;
/** `listen` may connect to an engine, and look through what it has. */
const listenTimeoutFactor = 30;

/** Jobs that arrived after the deadline of their pull. */
export interface LateJobs {
  readonly jobs: readonly LeasedJob[];
  /** Milliseconds since the epoch; no lease ends earlier. */
  readonly leasedUntil: number;
}

/** A queue adapter whose every call has a deadline and a circuit breaker; each method throws StoreError. */
export class ResilientAdapter {
  /** The adapter behind it. */
  readonly adapter: QueueAdapter;
  readonly #caller: StoreCaller;
  readonly #onLateJobs: (late: LateJobs) => void;

  /** @param onLateJobs takes over jobs that were leased and that nothing waits for any more */
  constructor(adapter: QueueAdapter, caller: StoreCaller, onLateJobs: (late: LateJobs) => void) {
    this.adapter = adapter;
    this.#caller = caller;
    this.#onLateJobs = onLateJobs;
  }

  async push(job: JobRecord): Promise<void> {
    await this.#caller.call(() => this.adapter.push(job));
  }

  /** @param now the present, in milliseconds since the epoch */
  async pull(
    max: number,
    leaseMs: number,
    limits: ReadonlyMap<string, number>,
    now: number,
  ): Promise<readonly LeasedJob[]> {
    let hasFailed = false;
    const pull = async (): Promise<readonly LeasedJob[]> => {
      const jobs = checkJobs(await this.adapter.pull(max, leaseMs, limits));
      // Their leases are running: left alone they would only be due again when those end.
      if (hasFailed && jobs.length > 0) this.#onLateJobs({ jobs, leasedUntil: now + leaseMs });
      return jobs;
    };
    try {
      return await this.#call(pull);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }

  async ack(id: string, lease: string): Promise<boolean> {
    return await this.#call(() => this.adapter.ack(id, lease));
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#call(() => this.adapter.retry(id, lease, atMs));
  }

  /** Gives a job back; an adapter without `release` counts it as an attempt. */
  async release(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#call(() =>
      this.adapter.release === undefined
        ? this.adapter.retry(id, lease, atMs)
        : this.adapter.release(id, lease, atMs),
    );
  }

  async dead(id: string, lease: string, error: string): Promise<boolean> {
    return await this.#call(() => this.adapter.dead(id, lease, error));
  }

  /** Returns undefined when the adapter cannot list failed jobs. */
  async failed(limit: number): Promise<readonly FailedJob[] | undefined> {
    return await this.#call(() => this.adapter.failed?.(limit));
  }

  /** Returns undefined when the adapter cannot retry failed jobs. */
  async retryFailed(id: string): Promise<boolean | undefined> {
    return await this.#call(() => this.adapter.retryFailed?.(id));
  }

  /** Returns undefined when the adapter cannot count jobs. */
  async size(): Promise<number | undefined> {
    return await this.#call(() => this.adapter.size?.());
  }

  async listen(run: (job: LeasedJob) => Promise<void>): Promise<void> {
    await this.#call(() => this.adapter.listen?.(run), listenTimeoutFactor);
  }

  async close(): Promise<void> {
    await this.#call(() => this.adapter.close?.());
  }

  #call<T>(operation: () => T | PromiseLike<T>, factor = workerTimeoutFactor): T | Promise<T> {
    return this.#caller.call(operation, undefined, this.#caller.timeoutMs * factor);
  }
}

/** Refuses what would break the worker later, far from the adapter that returned it. */
function checkJobs(jobs: unknown): readonly LeasedJob[] {
  if (Array.isArray(jobs) && jobs.every(isLeasedJob)) return jobs;
  throw new TypeError("pull() of the adapter must resolve to a list of leased jobs.");
}

function isLeasedJob(job: unknown): job is LeasedJob {
  if (typeof job !== "object" || job === null) return false;
  const { id, name, lease, attempt, maxAttempts } = job as Partial<LeasedJob>;
  const isText = [id, name, lease].every((value) => typeof value === "string");
  return isText && typeof attempt === "number" && typeof maxAttempts === "number";
}
