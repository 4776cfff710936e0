import type { Backoff } from "./backoff.ts";

/** A job as an adapter stores it: plain JSON data throughout. */
export interface JobRecord {
  /** Identifies the job for as long as it is pending; at most 256 bytes of UTF-8. */
  readonly id: string;
  /**
   * Time since `enqueuedAt` for which the id stays taken, even if the job has ended, in milliseconds; 0 for only
   * as long as the job is pending. Not 0 only for an adapter with the feature "keepIdMs".
   */
  readonly keepIdMs: number;
  /** Name of the handler that runs it. */
  readonly name: string;
  /** A JSON value without references from elsewhere. */
  readonly payload: unknown;
  /** Number of pulls so far; 0 for a new job. */
  readonly attempt: number;
  /** Number of attempts after which the job has failed. */
  readonly maxAttempts: number;
  /** Integer priority; of two due jobs the one with the higher priority runs first. */
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** Due time: not pulled before; milliseconds since the epoch. */
  readonly dueAt: number;
  /** Wait before the next attempt after a failure. */
  readonly backoff: Backoff;
}

/** A new job, as {@link QueueAdapter.push} gets it. */
export interface NewJobRecord extends JobRecord {
  /**
   * True if the queue generated the id: no earlier job has it, so that an adapter need not look it up. Absent for an
   * id that the caller has chosen. Need not be stored.
   */
  readonly hasGeneratedId?: boolean;
}

/** A job that is leased to one worker. */
export interface LeasedJob extends JobRecord {
  /** Number of the attempt; the first is 1. */
  readonly attempt: number;
  /** Token of this lease: only its holder may end the attempt. */
  readonly lease: string;
}

/**
 * State of a stored job: `waiting` for a worker, `delayed` until it is due, `running` while it is leased, or
 * `failed` after its last attempt, or after an `UnrecoverableJobError`.
 */
export type JobState = "waiting" | "delayed" | "running" | "failed";

/** Number of jobs in each state. */
export type JobCounts = Readonly<Record<JobState, number>>;

/** A stored job, as `find` returns it. */
export interface JobSnapshot {
  readonly id: string;
  readonly name: string;
  /** The payload that was enqueued. */
  readonly payload: unknown;
  /** Waiting, delayed, running or failed. */
  readonly state: JobState;
  /** Number of attempts that have started. */
  readonly attempt: number;
  /** Number of attempts after which the job has failed. */
  readonly maxAttempts: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** Message of the last attempt's error; only of a failed job. */
  readonly error?: string;
}

/** A failed job: it has no attempts left, or its handler threw an `UnrecoverableJobError`. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  /** The payload that was enqueued. */
  readonly payload: unknown;
  /** Number of attempts made. */
  readonly attempts: number;
  /** Message of the last attempt's error. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
}

/**
 * Optional abilities of an adapter: `transaction` stores jobs in a transaction of the caller; `keepIdMs` keeps an
 * id taken after its job has ended.
 */
export type QueueFeature = "transaction" | "keepIdMs";

/** Options of {@link QueueAdapter.push}. */
export interface PushOptions {
  /**
   * Transaction of the engine's client in which the jobs are stored: they exist once it commits. Given only to an
   * adapter with the feature "transaction".
   */
  readonly transaction?: unknown;
}

/** Jobs that a worker is ready to run. */
export interface PullRequest {
  /** Maximum number of jobs, at least 1. */
  readonly max: number;
  /** Maximum number of jobs by name, at least 1 each. Jobs of other names are left in the queue. */
  readonly names: ReadonlyMap<string, number>;
  /** Returns the length of the lease of a job of that name, in milliseconds. */
  leaseMs(name: string): number;
}

/** Jobs that {@link QueueAdapter.listen} delivers. */
export interface ListenRequest {
  /**
   * Maximum number of concurrent jobs by name. Jobs of other names are left in the queue. An engine that cannot
   * limit the number may deliver more: they wait in this process, and are released when the queue stops.
   */
  readonly names: ReadonlyMap<string, number>;
  /** Maximum number of concurrent jobs of all names together; the same applies. */
  readonly concurrency: number;
  /** Returns the time after which a job of that name may be delivered again unless it has ended, in milliseconds. */
  leaseMs(name: string): number;
  /** Aborted when the queue stops: no job is delivered afterwards. Jobs that run may still end. */
  readonly signal: AbortSignal;
}

/**
 * Storage of jobs: the contract between {@link Queue} and a driver, which `useQueue` accepts.
 *
 * The queue controls attempts, backoff, deadlines and failed jobs; an adapter stores the decisions. It has either
 * {@link pull}, which the queue calls for jobs, or {@link listen}, for an engine that delivers by itself. A process
 * gets only jobs whose names it has handlers for.
 *
 * Delivery is at least once: when in doubt, an adapter delivers a job again and never drops one. Each call
 * has a deadline and a circuit breaker; a failed call may be repeated, even if it took effect.
 * `queueAdapterSuite` and `listenAdapterSuite` of `espalier/testing` verify all of this for any adapter.
 */
export interface QueueAdapter {
  /** Name of the driver, as `queue.name` returns it. */
  readonly name?: string;
  /** Largest JSON text of a payload, in bytes; undefined: no limit. */
  readonly payloadLimitBytes?: number;
  /** Optional abilities; default: none. The queue rejects an option of `enqueue` that needs a missing one. */
  readonly features?: readonly QueueFeature[];

  /**
   * Stores new jobs, at least one. Skips a job whose `id` is pending or still taken.
   * Resolves only once the jobs are as durable as the driver guarantees. If it rejects, some may be stored.
   */
  push(jobs: readonly NewJobRecord[], options?: PushOptions): Promise<void>;

  /**
   * Leases due jobs of the requested names: higher priority first, then in order of due time or of arrival.
   *
   * Each job gets its own lease, and its `attempt` is incremented. No other worker gets it for the length of the
   * lease; when the lease expires, the job is due again.
   */
  pull?(request: PullRequest): Promise<readonly LeasedJob[]>;

  /**
   * Starts the delivery of an engine that delivers by itself, and resolves once it has started. `run` ends each
   * job by calling `ack`, `retry`, `release` or `dead`, and never rejects. A job that is not ended then is delivered
   * again.
   *
   * Called when the queue starts, and again, with further names, when handlers are registered later. A job that
   * arrives for another name, or after the signal is aborted, is released.
   */
  listen?(run: (job: LeasedJob) => Promise<void>, request: ListenRequest): void | Promise<void>;

  /**
   * Calls `wake` when a job may have become due, so that it is pulled without waiting for the next poll. Called
   * when the queue starts.
   *
   * @returns a function that ends the subscription, or a promise of it
   */
  subscribe?(wake: () => void): (() => void) | Promise<() => void>;

  /**
   * Extends a lease to `leaseMs` from now, under the same token. Returns false, without effect, if the lease is
   * stale.
   *
   * With this method a job is leased for a minute at most, and renewed while its handler runs: a long job of a
   * process that ended is delivered again after a minute. Without it, a lease is as long as the handler may take.
   */
  renew?(id: string, lease: string, leaseMs: number): Promise<boolean>;

  /** Marks the job as done. Returns false, without effect, if the lease is stale. */
  ack(id: string, lease: string): Promise<boolean>;

  /**
   * Schedules the next attempt after a failure, at `atMs` (milliseconds since the epoch). Keeps the attempt
   * count. Returns false, without effect, if the lease is stale.
   */
  retry(id: string, lease: string, atMs: number): Promise<boolean>;

  /**
   * Returns a job that was not run to the queue, with its `attempt` reset to the value before the lease. It is due
   * at once; an engine that would deliver it to the same process again may delay it. Returns false, without
   * effect, if the lease is stale.
   *
   * Without this method the queue calls {@link retry}, which uses up an attempt.
   */
  release?(id: string, lease: string): Promise<boolean>;

  /**
   * Marks the job as failed: it is kept for {@link failed} and not delivered again. Returns false, without
   * effect, if the lease is stale.
   */
  dead(id: string, lease: string, error: string): Promise<boolean>;

  /** Returns failed jobs, at most `limit` of them. */
  failed?(limit: number): Promise<readonly FailedJob[]>;

  /** Makes a failed job pending again, with all its attempts; false if no failed job has that id. */
  retryFailed?(id: string): Promise<boolean>;

  /** Deletes a failed job; false if no failed job has that id. A pending job with that id is not affected. */
  discardFailed?(id: string): Promise<boolean>;

  /** Returns the number of jobs in each state. */
  counts?(): Promise<JobCounts>;

  /** Returns the pending or failed job with that id; undefined if it does not exist. */
  find?(id: string): Promise<JobSnapshot | undefined>;

  /** Removes a job that is waiting or delayed; returns false, without effect, if it is neither. */
  cancel?(id: string): Promise<boolean>;

  /** Returns the due time of the next job, in milliseconds since the epoch; undefined without one. */
  nextDueAt?(): number | undefined;

  /** Releases the adapter's resources, once delivered jobs have ended; called when the queue has stopped. */
  close?(): void | Promise<void>;
}
