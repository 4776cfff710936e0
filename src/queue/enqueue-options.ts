import { describe } from "../util/describe.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { Backoff } from "./backoff.ts";
import { checkCount, checkDuration, checkName, invalid } from "./option-checks.ts";
import type { PushOptions } from "./queue-adapter.ts";

/** Options of one job. */
export interface JobOptions {
  /** The job is not run before this many milliseconds have passed; default 0. */
  readonly delayMs?: number;
  /** The job is dead after this many attempts; default 3. */
  readonly maxAttempts?: number;
  /** The wait after a failure; by default doubled each time, from a second to an hour. */
  readonly backoff?: Backoff;
  /** Equal ids, while one is pending, are one job; default: a UUID. At most 256 bytes of UTF-8. */
  readonly id?: string;
  /**
   * Milliseconds for which the id stays taken after the job was enqueued, even if it has ended: enqueuing the id
   * again does nothing, also without this option. Needs an `id`; default 0, only while the job is pending.
   */
  readonly keepIdMs?: number;
  /** A whole number from -1 000 000 to 1 000 000; the higher runs first; default 0. */
  readonly priority?: number;
}

/** How `enqueue` keeps a job. */
export interface EnqueueOptions extends JobOptions, PushOptions {}

/** A job for `enqueueMany`: its name and payload, with options of its own. */
export type NewJob<Jobs extends object = Record<string, unknown>> = {
  [Name in keyof Jobs & string]: {
    readonly name: Name;
    readonly payload: Jobs[Name];
  } & JobOptions;
}[keyof Jobs & string];

const optionNames: OptionNames<JobOptions> = {
  delayMs: true,
  maxAttempts: true,
  backoff: true,
  id: true,
  keepIdMs: true,
  priority: true,
};
const backoffNames: OptionNames<Backoff> = { type: true, delayMs: true, maxDelayMs: true };

const pushNames: OptionNames<PushOptions> = { transaction: true };
const enqueueMany = { code: "ERR_QUEUE_BAD_OPTION", name: "enqueueMany" } as const;

const largestPriority = 1_000_000;

/**
 * Validates the options at once, so that the caller gets the error, not a later log record.
 *
 * @throws EspalierError (`ERR_QUEUE_BAD_OPTION`)
 */
export function checkEnqueueOptions(name: string, options: JobOptions): void {
  checkName(name, "The name of a job");
  const owner = { code: "ERR_QUEUE_BAD_OPTION", name: `enqueue(${describe(name)})` } as const;
  checkOptionNames(owner, options, optionNames);
  if (options.backoff !== undefined) {
    checkOptionNames({ ...owner, name: `${owner.name}, backoff` }, options.backoff, backoffNames);
  }
  if (options.id !== undefined) checkName(options.id, "The id of a job");
  checkDuration("delayMs", options.delayMs);
  checkDuration("keepIdMs", options.keepIdMs);
  if (options.keepIdMs !== undefined && options.id === undefined) {
    throw invalid("The option keepIdMs needs an id: a generated id is not enqueued again.");
  }
  checkDuration("backoff.delayMs", options.backoff?.delayMs);
  checkDuration("backoff.maxDelayMs", options.backoff?.maxDelayMs);
  checkCount("maxAttempts", options.maxAttempts);
  const type: string | undefined = options.backoff?.type;
  if (type !== undefined && type !== "exponential" && type !== "fixed") {
    throw invalid(`The backoff type must be "exponential" or "fixed", got ${describe(type)}.`);
  }
  const { priority } = options;
  if (priority === undefined) return;
  if (!Number.isInteger(priority) || Math.abs(priority) > largestPriority) {
    throw invalid(
      `The priority must be an integer from -${largestPriority} to ${largestPriority}, got ${describe(priority)}.`,
    );
  }
}

/** @throws EspalierError (`ERR_QUEUE_BAD_OPTION`) */
export function checkEnqueueManyOptions(jobs: unknown, options: PushOptions): void {
  checkOptionNames(enqueueMany, options, pushNames);
  if (!Array.isArray(jobs)) throw badOption(enqueueMany, "jobs", jobs, "an array");
  for (const job of jobs) {
    if (typeof job === "object" && job !== null) continue;
    throw badOption(enqueueMany, "job", job, "an object");
  }
}
