/**
 * A job as its handler sees it.
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
  /** A copy of what was enqueued. */
  readonly payload: Payload;
  /** Which attempt this is; the first is 1. */
  readonly attempt: number;
  /** The job is dead when this attempt fails. */
  readonly maxAttempts: number;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /**
   * Makes this attempt count as failed, and the next one start after `delayMs` instead of the backoff.
   *
   * It does not end the handler, and it gives no attempt beyond {@link maxAttempts}.
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

/** Runs one kind of job: the job is done when it returns or resolves, and has failed when it throws. */
export type JobHandler<Payload = unknown, Context extends object = Record<never, never>> = (
  job: Job<Payload>,
  context: Context & JobSignal,
) => unknown;

/** How `process` runs a handler. */
export interface ProcessOptions {
  /** How many jobs of this name run at once; default 10. */
  readonly concurrency?: number;
  /** An attempt that takes longer has failed, in milliseconds; default 30 000. */
  readonly timeoutMs?: number;
}
