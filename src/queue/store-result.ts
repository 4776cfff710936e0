import { describeError, type Logger } from "../observability/logger.ts";
import { StoreError } from "../resilience/store-error.ts";
import { type Clock, sleep } from "../util/clock.ts";
import { logSafely } from "../util/log-safely.ts";
import type { FailedJob, LeasedJob } from "./queue-adapter.ts";
import type { ResilientAdapter } from "./resilient-adapter.ts";
import { failureText, type JobResult } from "./run-job.ts";

/** Payload of the event `queue.completed`. */
export interface CompletedJob {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly durationMs: number;
}

/** Dependencies of {@link storeResult}, besides the job and its result. */
export interface StoreResultContext {
  readonly store: ResilientAdapter;
  readonly clock: Clock;
  readonly options: {
    readonly onCompleted?: (job: CompletedJob) => void;
    readonly onFailed?: (job: FailedJob) => void;
    readonly logger?: Logger | undefined;
  };
  /** Duration of the attempt, in milliseconds. */
  readonly durationMs: number;
  /** End of the job's lease, in milliseconds since the epoch. */
  readonly leasedUntil: number;
  readonly isStopping: () => boolean;
  /** Called with the time of the next attempt, in milliseconds since the epoch. */
  readonly onRetry: (atMs: number) => void;
}

const firstWaitMs = 500;
const maxWaitMs = 5000;

/**
 * Stores the result of an attempt, then reports it by event and log. Never rejects.
 *
 * @returns false if the store failed until the lease expired, so that the job will be delivered again
 */
export async function storeResult(
  job: LeasedJob,
  result: JobResult,
  context: StoreResultContext,
): Promise<boolean> {
  let isCurrent: boolean;
  try {
    isCurrent = await storePersistently(job, result, context);
  } catch (error) {
    // The lease expires and the job is delivered again: late, or twice, but not lost.
    const message = `The result of the job "${job.name}" could not be stored; it will be delivered again.`;
    log(context, "error", message, job, error);
    return false;
  }
  if (!isCurrent) {
    const message = `The job "${job.name}" ended after its lease; its result is ignored.`;
    log(context, "warn", message, job);
    return true;
  }
  report(job, result, context);
  return true;
}

/** Retries a failed call until the lease expires: a short outage of the store causes no second run. */
async function storePersistently(
  job: LeasedJob,
  result: JobResult,
  context: StoreResultContext,
): Promise<boolean> {
  const { clock, leasedUntil, isStopping } = context;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
    try {
      // Third-party adapters may return nothing: only false means that the lease is stale. After a failed
      // call it may also mean that the failed call took effect.
      return (await store(job, result, context.store)) !== false || waitMs > firstWaitMs;
    } catch (error) {
      const isPermanent = !(error instanceof StoreError);
      if (isPermanent || isStopping() || clock.now() + waitMs >= leasedUntil) throw error;
      await sleep(clock, waitMs);
    }
  }
}

function store(
  { id, lease }: LeasedJob,
  result: JobResult,
  adapter: ResilientAdapter,
): Promise<boolean> {
  if (result.type === "done") return adapter.ack(id, lease);
  if (result.type === "retry") return adapter.retry(id, lease, result.atMs);
  return adapter.dead(id, lease, failureText(result.error));
}

function report(job: LeasedJob, result: JobResult, context: StoreResultContext): void {
  const { id, name, attempt, payload, maxAttempts } = job;
  const { options, clock, durationMs } = context;
  if (result.type === "done") {
    callSafely(() => options.onCompleted?.({ id, name, attempt, durationMs }));
  } else if (result.type === "retry") {
    context.onRetry(result.atMs);
    log(context, "warn", `The job "${name}" failed and will be tried again.`, job, result.error);
  } else {
    const attempts = Math.min(attempt, maxAttempts);
    const error = failureText(result.error);
    const failedAt = clock.now();
    callSafely(() => options.onFailed?.({ id, name, payload, attempts, error, failedAt }));
    const message = `The job "${name}" failed and will not be tried again.`;
    log(context, "error", message, job, result.error);
  }
}

function log(
  { options }: StoreResultContext,
  level: "warn" | "error",
  message: string,
  { id, name, attempt }: LeasedJob,
  error?: unknown,
): void {
  const cause = error === undefined ? {} : { error: describeError(error) };
  logSafely(options.logger, level, message, { job: name, jobId: id, attempt, ...cause });
}

/** Calls a listener of the application, whose failure must not change the result of a job. */
function callSafely(call: () => void): void {
  try {
    call();
  } catch {
    // Nothing is left to report to.
  }
}
