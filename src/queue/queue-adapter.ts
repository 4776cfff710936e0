import type { Backoff } from "./backoff.ts";

/** A job as an adapter keeps it: plain JSON data throughout. */
export interface JobRecord {
  /** Names the job for as long as it is pending; at most 256 bytes of UTF-8. */
  readonly id: string;
  /** Which handler runs it. */
  readonly name: string;
  /** A JSON value that nobody else holds. */
  readonly payload: unknown;
  /** How often it was pulled so far; 0 for a job that has just been enqueued. */
  readonly attempt: number;
  /** The job is dead after this many attempts. */
  readonly maxAttempts: number;
  /** A whole number; of two jobs that are due the one with the higher priority runs first. */
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** Not to be pulled before; milliseconds since the epoch. */
  readonly dueAt: number;
  /** How long the next attempt waits after a failure. */
  readonly backoff: Backoff;
}

/** A job that was handed to one worker for a while. */
export interface LeasedJob extends JobRecord {
  /** How often it was pulled, this time included; the first attempt is 1. */
  readonly attempt: number;
  /** Proves that the holder is still the one who may end this attempt. */
  readonly lease: string;
}

/** A job that used up its attempts. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  /** What was enqueued. */
  readonly payload: unknown;
  /** How many attempts were made. */
  readonly attempts: number;
  /** What went wrong in the last of them. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
}

/**
 * Where jobs are kept: the contract between {@link Queue} and a driver, which `useQueue` takes.
 *
 * The queue decides *what* happens (attempts, backoff, deadlines, dead jobs); an adapter remembers it.
 * Delivery is at least once: when in doubt, an adapter hands a job out again and never drops one.
 * `queueAdapterSuite` of `espalier/testing` checks all of this on any adapter.
 */
export interface QueueAdapter {
  /** Which driver this is, as `queue.name` shows it. */
  readonly name?: string;
  /** How large the JSON text of a payload may be, in bytes; undefined: no limit. */
  readonly payloadLimitBytes?: number;

  /**
   * Keeps a job that is new. A job whose `id` is already pending is the same job: nothing is added.
   * Resolves only when the job would survive what the driver promises to survive.
   */
  push(job: JobRecord): Promise<void>;

  /**
   * Hands out up to `max` jobs that are due: higher priority first, then the one due longer.
   *
   * Each gets a lease of its own, and its `attempt` is one higher than before. Nobody else gets it for
   * `leaseMs`; a job whose lease ran out is due again. An engine that delivers by itself
   * ({@link listen}) returns an empty list.
   *
   * @param limits at most this many jobs of that name; a name that is absent has no limit of its own
   */
  pull(
    max: number,
    leaseMs: number,
    limits?: ReadonlyMap<string, number>,
  ): Promise<readonly LeasedJob[]>;

  /** The job is done. False, and nothing happens, when the lease is no longer the current one. */
  ack(id: string, lease: string): Promise<boolean>;

  /**
   * The attempt failed, and the next is due at `atMs` (milliseconds since the epoch). The count of
   * attempts stays. False, and nothing happens, when the lease is no longer the current one.
   */
  retry(id: string, lease: string, atMs: number): Promise<boolean>;

  /**
   * The job is dead: it is kept for {@link failed} and is not pulled any more. False, and nothing
   * happens, when the lease is no longer the current one.
   */
  dead(id: string, lease: string, error: string): Promise<boolean>;

  /** Dead jobs, at most `limit` of them. */
  failed?(limit: number): Promise<readonly FailedJob[]>;

  /** Makes a dead job pending again, with all its attempts; false when no dead job has that id. */
  retryFailed?(id: string): Promise<boolean>;

  /** How many jobs are pending, those being run included. */
  size?(): Promise<number>;

  /** When the next job becomes due, in milliseconds since the epoch; undefined when none waits. */
  nextDueAt?(): number | undefined;

  /**
   * For an engine that delivers by itself: `run` ends by calling `ack`, `retry` or `dead`, and never
   * rejects. Called once, when the application starts.
   */
  listen?(run: (job: LeasedJob) => Promise<void>): void | Promise<void>;

  /** Gives back what the adapter opened; called when the queue has stopped. */
  close?(): void | Promise<void>;
}
