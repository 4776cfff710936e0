import type { Logger } from "../observability/logger.ts";
import { StoreCaller, type StoreCallerOptions } from "../resilience/store-caller.ts";
import type { Clock } from "../util/clock.ts";
import { isJobId } from "./option-checks.ts";
import type {
  FailedJob,
  JobCounts,
  JobSnapshot,
  LeasedJob,
  ListenRequest,
  NewJobRecord,
  PullRequest,
  PushOptions,
  QueueAdapter,
} from "./queue-adapter.ts";
import { unsupported } from "./unsupported.ts";

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
  /** Time at which the pull began, in milliseconds since the epoch: their leases began later. */
  readonly pulledAt: number;
}

/**
 * A queue adapter whose every call has a deadline and a circuit breaker. Each method throws StoreError, and
 * EspalierError (`ERR_QUEUE_UNSUPPORTED`) where the adapter has no method for it.
 */
export class ResilientAdapter {
  /** The wrapped adapter. */
  readonly adapter: QueueAdapter;
  readonly #caller: StoreCaller;
  readonly #onLateJobs: (late: LateJobs) => void;

  /** @param onLateJobs receives jobs that were leased after the deadline of their pull */
  constructor(
    adapter: QueueAdapter,
    options: StoreCallerOptions,
    onLateJobs: (late: LateJobs) => void,
  ) {
    this.adapter = adapter;
    this.#caller = new StoreCaller(options);
    this.#onLateJobs = onLateJobs;
  }

  async push(jobs: readonly NewJobRecord[], options: PushOptions): Promise<void> {
    await this.#caller.call(() => this.adapter.push(jobs, options));
  }

  /**
   * Returns no job when the adapter delivers by itself.
   *
   * @param now current time, in milliseconds since the epoch
   */
  async pull(request: PullRequest, now: number): Promise<readonly LeasedJob[]> {
    if (this.adapter.pull === undefined) return [];
    let hasFailed = false;
    const pull = async (): Promise<readonly LeasedJob[]> => {
      const jobs = checkJobs(await this.adapter.pull?.(request));
      // They are leased: if dropped, they would become due again only when their leases expire.
      if (hasFailed && jobs.length > 0) this.#onLateJobs({ jobs, pulledAt: now });
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

  /** @param now current time, in milliseconds since the epoch */
  async release(id: string, lease: string, now: number): Promise<boolean> {
    return await this.#call(() =>
      this.adapter.release === undefined
        ? this.adapter.retry(id, lease, now)
        : this.adapter.release(id, lease),
    );
  }

  async dead(id: string, lease: string, error: string): Promise<boolean> {
    return await this.#call(() => this.adapter.dead(id, lease, error));
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    const failed = await this.#call(() => this.adapter.failed?.(limit));
    return failed ?? this.#unsupported("list failed jobs");
  }

  async retryFailed(id: string): Promise<boolean> {
    if (this.adapter.retryFailed === undefined) return this.#unsupported("retry failed jobs");
    return isJobId(id) && (await this.#call(() => this.adapter.retryFailed?.(id))) === true;
  }

  async discardFailed(id: string): Promise<boolean> {
    if (this.adapter.discardFailed === undefined) return this.#unsupported("discard failed jobs");
    return isJobId(id) && (await this.#call(() => this.adapter.discardFailed?.(id))) === true;
  }

  async counts(): Promise<JobCounts> {
    const counts = await this.#call(() => this.adapter.counts?.());
    return counts ?? this.#unsupported("count jobs");
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    if (this.adapter.find === undefined) return this.#unsupported("find jobs");
    return isJobId(id) ? await this.#call(() => this.adapter.find?.(id)) : undefined;
  }

  async cancel(id: string): Promise<boolean> {
    if (this.adapter.cancel === undefined) return this.#unsupported("cancel jobs");
    return isJobId(id) && (await this.#call(() => this.adapter.cancel?.(id))) === true;
  }

  #unsupported(what: string): never {
    throw unsupported(this.adapter, what);
  }

  async listen(run: (job: LeasedJob) => Promise<void>, request: ListenRequest): Promise<void> {
    await this.#call(() => this.adapter.listen?.(run, request), listenTimeoutFactor);
  }

  /** Returns the function that ends the subscription; undefined when the adapter has none. */
  async subscribe(wake: () => void): Promise<(() => void) | undefined> {
    return await this.#call(() => this.adapter.subscribe?.(wake), listenTimeoutFactor);
  }

  /** Closes the adapter, also one whose last calls have failed: otherwise its connections would stay open. */
  async close(): Promise<void> {
    await this.#caller.callPastBreaker(() => this.adapter.close?.(), this.#timeoutMs());
  }

  #call<T>(operation: () => T | PromiseLike<T>, factor?: number): T | Promise<T> {
    return this.#caller.call(operation, undefined, this.#timeoutMs(factor));
  }

  #timeoutMs(factor = workerTimeoutFactor): number {
    return Math.max(this.#caller.timeoutMs * factor, minWorkerTimeoutMs);
  }
}

/** Options of {@link createResilientAdapter}. */
export interface ResilientAdapterOptions {
  readonly adapter: QueueAdapter | (() => QueueAdapter);
  /** Timeout of a `push`, in milliseconds; default 1,000. */
  readonly timeoutMs?: number | undefined;
  readonly logger?: Logger | undefined;
  readonly clock: Clock;
}

/** Wraps an adapter; its name is part of the errors and log records. */
export function createResilientAdapter(
  { adapter, ...options }: ResilientAdapterOptions,
  onLateJobs: (late: LateJobs) => void,
): ResilientAdapter {
  const chosen = typeof adapter === "function" ? adapter() : adapter;
  const { timeoutMs, logger, clock } = options;
  const name = `queue "${chosen.name ?? "custom"}"`;
  return new ResilientAdapter(chosen, { name, timeoutMs, logger, clock }, onLateJobs);
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
