import type { StoreCaller } from "../resilience/store-caller.ts";
import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "./queue-adapter.ts";

/**
 * Timeout factor of a worker's calls, relative to `push`: a pull may lease many jobs one by one, and no
 * client waits for it.
 */
const workerTimeoutFactor = 5;
/** Minimum timeout of a worker's calls, in milliseconds: the end of a job may wait a second for Workers KV. */
const minWorkerTimeoutMs = 5000;
/** Timeout factor of `listen`, which may connect to an engine and scan its jobs. */
const listenTimeoutFactor = 30;

/** Jobs that arrived after the deadline of their pull. */
export interface LateJobs {
  readonly jobs: readonly LeasedJob[];
  /** Earliest lease expiry, in milliseconds since the epoch. */
  readonly leasedUntil: number;
}

/** A queue adapter whose every call has a deadline and a circuit breaker; each method throws StoreError. */
export class ResilientAdapter {
  /** The wrapped adapter. */
  readonly adapter: QueueAdapter;
  readonly #caller: StoreCaller;
  readonly #onLateJobs: (late: LateJobs) => void;

  /** @param onLateJobs receives jobs that were leased after the deadline of their pull */
  constructor(adapter: QueueAdapter, caller: StoreCaller, onLateJobs: (late: LateJobs) => void) {
    this.adapter = adapter;
    this.#caller = caller;
    this.#onLateJobs = onLateJobs;
  }

  async push(job: JobRecord): Promise<void> {
    await this.#caller.call(() => this.adapter.push(job));
  }

  /** @param now current time, in milliseconds since the epoch */
  async pull(
    max: number,
    leaseMs: number,
    limits: ReadonlyMap<string, number>,
    now: number,
  ): Promise<readonly LeasedJob[]> {
    let hasFailed = false;
    const pull = async (): Promise<readonly LeasedJob[]> => {
      const jobs = checkJobs(await this.adapter.pull(max, leaseMs, limits));
      // They are leased: if dropped, they would become due again only when their leases expire.
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

  /** Returns false if the lease is stale, or the adapter cannot renew leases. */
  async renew(id: string, lease: string, leaseMs: number): Promise<boolean> {
    return (await this.#call(() => this.adapter.renew?.(id, lease, leaseMs))) === true;
  }

  async ack(id: string, lease: string): Promise<boolean> {
    return await this.#call(() => this.adapter.ack(id, lease));
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#call(() => this.adapter.retry(id, lease, atMs));
  }

  /** Releases a job; an adapter without `release` counts it as an attempt. */
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
    const timeoutMs = Math.max(this.#caller.timeoutMs * factor, minWorkerTimeoutMs);
    return this.#caller.call(operation, undefined, timeoutMs);
  }
}

/** Validates the result of a pull here, since invalid jobs would fail later, far from the adapter. */
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
