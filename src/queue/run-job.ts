import { EspalierError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { backoffDelayMs } from "./backoff.ts";
import type { Job } from "./job.ts";
import type { JobDefinition } from "./job-definitions.ts";
import { checkDuration } from "./option-checks.ts";
import type { LeasedJob } from "./queue-adapter.ts";
import { UnrecoverableJobError } from "./unrecoverable-job-error.ts";

/** The result of one attempt. */
export type JobResult =
  | { readonly type: "done" }
  | { readonly type: "retry"; readonly atMs: number; readonly error: unknown }
  | { readonly type: "dead"; readonly error: unknown };

/** Dependencies of an attempt, besides the job. */
export interface JobRunner<Context extends object> {
  readonly definition: JobDefinition<Context>;
  readonly createJobContext: () => Context;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Runs one attempt of a job and returns its result. Never rejects. */
export async function runJob<Context extends object>(
  leased: LeasedJob,
  runner: JobRunner<Context>,
): Promise<JobResult> {
  if (leased.attempt > leased.maxAttempts) return { type: "dead", error: cutOff(leased) };
  let retryDelayMs: number | undefined;
  let askedForRetry = false;
  const job: Job = {
    id: leased.id,
    name: leased.name,
    payload: leased.payload,
    attempt: leased.attempt,
    maxAttempts: leased.maxAttempts,
    enqueuedAt: leased.enqueuedAt,
    retry(delayMs) {
      checkDuration("The delay of job.retry", delayMs);
      askedForRetry = true;
      retryDelayMs = delayMs;
    },
  };
  try {
    await runUntilDeadline(job, runner);
  } catch (error) {
    return afterFailure(leased, error, retryDelayMs, runner);
  }
  if (!askedForRetry) return { type: "done" };
  return afterFailure(leased, retryAsked(leased), retryDelayMs, runner);
}

/** Settles with the handler, or rejects at its deadline and aborts the handler's signal. */
function runUntilDeadline<Context extends object>(
  job: Job,
  { definition, createJobContext, clock }: JobRunner<Context>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: AbortController | undefined;
    let timeout: EspalierError | undefined;
    const cancelDeadline = clock.after(definition.timeoutMs, () => {
      timeout = timedOut(job, definition.timeoutMs);
      controller?.abort(timeout);
      reject(timeout);
    });
    const run = async (): Promise<void> => {
      await definition.handler(job, {
        ...createJobContext(),
        /** Created when it is read: most handlers have no use for it. */
        get signal() {
          controller ??= new AbortController();
          if (timeout !== undefined) controller.abort(timeout);
          return controller.signal;
        },
      });
    };
    run().then(resolve, reject).finally(cancelDeadline);
  });
}

function afterFailure<Context extends object>(
  leased: LeasedJob,
  error: unknown,
  retryDelayMs: number | undefined,
  { clock, random }: JobRunner<Context>,
): JobResult {
  const isLast = leased.attempt >= leased.maxAttempts;
  if (isLast || error instanceof UnrecoverableJobError) return { type: "dead", error };
  const delayMs = retryDelayMs ?? backoffDelayMs(leased.backoff, leased.attempt, random);
  return { type: "retry", atMs: clock.now() + delayMs, error };
}

/** Returns the message stored with a failed job, for any thrown value, including null. */
export function failureText(error: unknown): string {
  if (error instanceof Error) return (error.message || error.name).slice(0, 1000);
  try {
    return `The handler threw ${String(error)}`.slice(0, 1000);
  } catch {
    return "The handler threw a value that cannot be read";
  }
}

function timedOut(job: Job, timeoutMs: number): EspalierError {
  return new EspalierError(
    "ERR_QUEUE_JOB_TIMEOUT",
    `The job "${job.name}" (id "${job.id}") did not finish within ${timeoutMs} ms. ` +
      "Raise the timeoutMs of its handler, or split the job.",
  );
}

function cutOff(job: LeasedJob): EspalierError {
  return new EspalierError(
    "ERR_QUEUE_JOB_CUT_OFF",
    `The last of ${job.maxAttempts} attempts at the job "${job.name}" (id "${job.id}") started and ` +
      "did not finish: the process stopped, or the lease expired.",
  );
}

function retryAsked(job: LeasedJob): EspalierError {
  return new EspalierError(
    "ERR_QUEUE_RETRY_ASKED",
    `The handler of the job "${job.name}" (id "${job.id}") requested another attempt with job.retry().`,
  );
}
