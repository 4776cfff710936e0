import type { Backoff } from "./backoff.ts";

/** A job as an adapter stores it: plain JSON data throughout. */
export interface JobRecord {
  /** Identifies the job for as long as it is pending; at most 256 bytes of UTF-8. */
  readonly id: string;
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

/** A job that is leased to one worker. */
export interface LeasedJob extends JobRecord {
  /** Number of the attempt; the first is 1. */
  readonly attempt: number;
  /** Token of this lease: only its holder may end the attempt. */
  readonly lease: string;
}

/** A failed job: it has no attempts left. */
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
 * Storage of jobs: the contract between {@link Queue} and a driver, which `useQueue` accepts.
 *
 * The queue controls attempts, backoff, deadlines and failed jobs; an adapter stores the decisions.
 * Delivery is at least once: when in doubt, an adapter delivers a job again and never drops one. Each call
 * has a deadline and a circuit breaker; a failed call may be repeated, even if it took effect.
 * `queueAdapterSuite` of `espalier/testing` verifies all of this for any adapter.
 */
export interface QueueAdapter {
  /** Name of the driver, as `queue.name` returns it. */
  readonly name?: string;
  /** Largest JSON text of a payload, in bytes; undefined: no limit. */
  readonly payloadLimitBytes?: number;

  /**
   * Stores a new job. A no-op if a job with this `id` is already pending.
   * Resolves only once the job is as durable as the driver guarantees.
   */
  push(job: JobRecord): Promise<void>;

  /**
   * Leases up to `max` due jobs: higher priority first, then the earlier due time.
   *
   * Each job gets its own lease, and its `attempt` is incremented. No other worker gets it for `leaseMs`;
   * when the lease expires, the job is due again. A push-based engine ({@link listen}) returns an empty
   * list.
   *
   * @param limits maximum number of jobs by name, none for 0; an absent name has no limit
   */
  pull(
    max: number,
    leaseMs: number,
    limits?: ReadonlyMap<string, number>,
  ): Promise<readonly LeasedJob[]>;

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
   * Returns a job that was not run, due again at `atMs` (milliseconds since the epoch), with its `attempt`
   * reset to the value before the pull. Without this method the queue calls {@link retry}, which uses up an
   * attempt. Returns false, without effect, if the lease is stale.
   */
  release?(id: string, lease: string, atMs: number): Promise<boolean>;

  /**
   * Marks the job as failed: it is kept for {@link failed} and not pulled again. Returns false, without
   * effect, if the lease is stale.
   */
  dead(id: string, lease: string, error: string): Promise<boolean>;

  /** Returns failed jobs, at most `limit` of them. */
  failed?(limit: number): Promise<readonly FailedJob[]>;

  /** Makes a failed job pending again, with all its attempts; false if no failed job has that id. */
  retryFailed?(id: string): Promise<boolean>;

  /** Returns the number of pending jobs, including running ones. */
  size?(): Promise<number>;

  /** Returns the due time of the next job, in milliseconds since the epoch; undefined without one. */
  nextDueAt?(): number | undefined;

  /**
   * Starts the delivery of a push-based engine: `run` finishes by calling `ack`, `retry`, `release` or
   * `dead`, and never rejects. Called once, at boot.
   */
  listen?(run: (job: LeasedJob) => Promise<void>): void | Promise<void>;

  /** Releases the adapter's resources; called when the queue has stopped. */
  close?(): void | Promise<void>;
}
