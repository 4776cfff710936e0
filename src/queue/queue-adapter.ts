import type { Backoff } from "./backoff.ts";

/** A job as an adapter stores it: plain JSON data throughout. */
export interface JobRecord {
  /** Identifies the job for as long as it is pending; at most 256 bytes of UTF-8. */
  readonly id: string;
  /** Name of the handler that runs it. */
  readonly name: string;
  /** A JSON value that nothing else refers to. */
  readonly payload: unknown;
  /** Number of times it was pulled so far; 0 for a new job. */
  readonly attempt: number;
  /** The job has failed after this many attempts. */
  readonly maxAttempts: number;
  /** An integer; of two jobs that are due the one with the higher priority runs first. */
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** Not to be pulled before; milliseconds since the epoch. */
  readonly dueAt: number;
  /** Wait before the next attempt after a failure. */
  readonly backoff: Backoff;
}

/** A job that is handed to one worker for a while. */
export interface LeasedJob extends JobRecord {
  /** Number of times it was pulled, this time included; the first attempt is 1. */
  readonly attempt: number;
  /** Token of this lease: only its holder may end the attempt. */
  readonly lease: string;
}

/** A job that used up its attempts. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  /** The payload that was enqueued. */
  readonly payload: unknown;
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** Message of the last attempt's error. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
}

/**
 * Storage of jobs: the contract between {@link Queue} and a driver, which `useQueue` takes.
 *
 * The queue decides about attempts, backoff, deadlines and failed jobs; an adapter stores the decision.
 * Delivery is at least once: when in doubt, an adapter hands a job out again and never drops one. The
 * queue gives each call a deadline and a circuit breaker; a call that failed may be repeated, also when
 * it had its effect. `queueAdapterSuite` of `espalier/testing` checks all of this on any adapter.
 */
export interface QueueAdapter {
  /** Name of the driver, as `queue.name` returns it. */
  readonly name?: string;
  /** Largest JSON text of a payload, in bytes; undefined: no limit. */
  readonly payloadLimitBytes?: number;

  /**
   * Stores a new job. A job whose `id` is already pending is the same job: nothing is added.
   * Resolves only when the job would survive what the driver promises to survive.
   */
  push(job: JobRecord): Promise<void>;

  /**
   * Hands out up to `max` jobs that are due: higher priority first, then the one due longer.
   *
   * Each gets a lease of its own, and its `attempt` is one higher than before. No other worker gets it
   * for `leaseMs`; a job whose lease ran out is due again. An engine that delivers by itself
   * ({@link listen}) returns an empty list.
   *
   * @param limits at most this many jobs of that name, none for 0; a name that is absent has no limit
   */
  pull(
    max: number,
    leaseMs: number,
    limits?: ReadonlyMap<string, number>,
  ): Promise<readonly LeasedJob[]>;

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

  /** Makes a failed job pending again, with all its attempts; false when no failed job has that id. */
  retryFailed?(id: string): Promise<boolean>;

  /** Returns the number of pending jobs, those being run included. */
  size?(): Promise<number>;

  /** Returns when the next job becomes due, in milliseconds since the epoch; undefined when none waits. */
  nextDueAt?(): number | undefined;

  /**
   * Starts the delivery of an engine that delivers by itself: `run` ends by calling `ack`, `retry`,
   * `release` or `dead`, and never rejects. Called once, when the application starts.
   */
  listen?(run: (job: LeasedJob) => Promise<void>): void | Promise<void>;

  /** Releases what the adapter opened; called when the queue has stopped. */
  close?(): void | Promise<void>;
}
