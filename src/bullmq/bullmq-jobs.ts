import type { JobState as BullmqState, Job, JobsOptions } from "bullmq";
import type { Backoff } from "../queue/backoff.ts";
import type {
  FailedJob,
  JobRecord,
  JobSnapshot,
  JobState,
  LeasedJob,
} from "../queue/queue-adapter.ts";

/** In BullMQ the smaller number runs first, and 0 before all others. */
const priorityOffset = 1_000_001;

/**
 * Returns the name of the queue of a job's name, and the id of a job in BullMQ: the same, but for colons, which
 * separate the parts of keys, and for integers, which BullMQ reserves.
 */
export function toBullmqName(text: string): string {
  const escaped = text.replaceAll("%", "%25").replaceAll(":", "%3A");
  return /^-?\d+$/.test(escaped) ? `%${hexOf(escaped)}${escaped.slice(1)}` : escaped;
}

/** Reverses {@link toBullmqName}; an id of another producer that is not escaped is returned unchanged. */
function fromBullmqName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function hexOf(text: string): string {
  return text.charCodeAt(0).toString(16).toUpperCase();
}

/** Options under which BullMQ stores a job, as dashboards show them. */
export function toJobOptions(job: JobRecord, keepCompleted: number): JobsOptions {
  const { type = "exponential", delayMs, maxDelayMs } = job.backoff;
  const hasBackoff = Object.keys(job.backoff).length > 0;
  const backoff = { type, ...(delayMs === undefined ? {} : { delay: delayMs }), maxDelayMs };
  const jobId = toBullmqName(job.id);
  return {
    jobId,
    timestamp: job.enqueuedAt,
    delay: Math.max(0, job.dueAt - job.enqueuedAt),
    priority: priorityOffset - job.priority,
    attempts: job.maxAttempts,
    ...(hasBackoff ? { backoff } : {}),
    ...(job.keepIdMs > 0 ? { deduplication: { id: jobId, ttl: Math.ceil(job.keepIdMs) } } : {}),
    removeOnComplete: keepCompleted === 0 ? true : { count: keepCompleted },
    removeOnFail: false,
  };
}

/**
 * @param name name of the queue: other producers may name their jobs as they like
 * @param lease token of the lease
 */
export function toLeasedJob(job: Job, name: string, lease: string): LeasedJob {
  return {
    ...toIdentity(job, name),
    keepIdMs: job.opts.deduplication?.ttl ?? 0,
    attempt: attemptsOf(job) + 1,
    maxAttempts: maxAttemptsOf(job),
    priority: job.priority === 0 ? 0 : priorityOffset - job.priority,
    enqueuedAt: job.timestamp,
    dueAt: job.timestamp + (job.opts.delay ?? 0),
    backoff: toBackoff(job.opts.backoff),
    lease,
  };
}

export function toFailedJob(job: Job, name: string): FailedJob {
  return {
    ...toIdentity(job, name),
    // A job whose process died in its last attempt is leased once more, to fail.
    attempts: Math.min(attemptsOf(job), maxAttemptsOf(job)),
    error: job.failedReason ?? "",
    failedAt: job.finishedOn ?? job.timestamp,
  };
}

export function toSnapshot(job: Job, name: string, state: JobState): JobSnapshot {
  return {
    ...toIdentity(job, name),
    state,
    attempt: attemptsOf(job) + (state === "running" ? 1 : 0),
    maxAttempts: maxAttemptsOf(job),
    enqueuedAt: job.timestamp,
    ...(state === "failed" ? { error: job.failedReason ?? "" } : {}),
  };
}

/** Returns the state in terms of the queue; undefined for a job that is completed or gone. */
export function toJobState(state: BullmqState | "unknown"): JobState | undefined {
  switch (state) {
    case "active":
      return "running";
    case "delayed":
      return "delayed";
    case "failed":
      return "failed";
    case "waiting":
    case "prioritized":
      return "waiting";
    default:
      return undefined;
  }
}

function toIdentity(job: Job, name: string): { id: string; name: string; payload: unknown } {
  return { id: fromBullmqName(job.id ?? ""), name, payload: job.data };
}

/** Attempts that have ended: those that failed, and those whose process died. A released job counts as neither. */
function attemptsOf({ attemptsMade, stalledCounter }: Job): number {
  return attemptsMade + stalledCounter;
}

/** A job that others have added may have none, which BullMQ takes as one. */
function maxAttemptsOf({ opts }: Job): number {
  return Math.max(1, opts.attempts ?? 1);
}

function toBackoff(backoff: JobsOptions["backoff"]): Backoff {
  if (backoff === undefined) return {};
  if (typeof backoff === "number") return { type: "fixed", delayMs: backoff };
  const { type, delay, maxDelayMs } = backoff as typeof backoff & { readonly maxDelayMs?: unknown };
  return {
    type: type === "fixed" ? "fixed" : "exponential",
    ...(delay === undefined ? {} : { delayMs: delay }),
    ...(typeof maxDelayMs === "number" ? { maxDelayMs } : {}),
  };
}

/** True for an error of BullMQ about a job that is gone, or locked by another token. */
export function isStale(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  const missingJob = -1;
  const missingLock = -2;
  const notActive = -3;
  const otherLock = -6;
  return [missingJob, missingLock, notActive, otherLock].includes(Number(error.code));
}
