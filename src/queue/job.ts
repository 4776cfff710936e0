/**
 * A job, as passed to its handler.
 *
 * ```ts
 * queue.process("mail.send", async (job, { resolve, signal }) => {
 *   await resolve("mailer").send(job.payload, { signal });
 * });
 * ```
 */
export interface Job<Payload = unknown> {
  readonly id: string;
  readonly name: string;
  /** A copy of the enqueued payload. */
  readonly payload: Payload;
  /** Number of this attempt; the first is 1. */
  readonly attempt: number;
  /** Number of the last attempt: if it fails, the job has failed. */
  readonly maxAttempts: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /**
   * Marks this attempt as failed, and starts the next one after `delayMs` instead of the backoff.
   *
   * Does not end the handler, and does not add attempts beyond {@link maxAttempts}.
   *
   * @throws EspalierError (`ERR_QUEUE_BAD_OPTION`) when `delayMs` is negative or not a number
   */
  retry(delayMs?: number): void;
}

/** Context of every handler, besides what the application adds. */
export interface JobSignal {
  /** Aborted when the attempt exceeds the handler's `timeoutMs`. */
  readonly signal: AbortSignal;
}

/**
 * Handler of a job: the job is done when it returns or resolves; the attempt has failed when it throws, and the job
 * too if it throws an `UnrecoverableJobError`.
 */
export type JobHandler<Payload = unknown, Context extends object = Record<never, never>> = (
  job: Job<Payload>,
  context: Context & JobSignal,
) => unknown;

/** Options of `process`. */
export interface ProcessOptions {
  /** Maximum number of concurrent jobs of this name; default 10. */
  readonly concurrency?: number;
  /** Timeout of an attempt, in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
}
