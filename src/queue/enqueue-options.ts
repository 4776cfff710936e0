import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import type { Backoff } from "./backoff.ts";

/** How `enqueue` keeps a job. */
export interface EnqueueOptions {
  /** The job is not run before this many milliseconds have passed; default 0. */
  readonly delayMs?: number;
  /** The job is dead after this many attempts; default 3. */
  readonly maxAttempts?: number;
  /** The wait after a failure; by default doubled each time, from a second to an hour. */
  readonly backoff?: Backoff;
  /** Equal ids, while one is pending, are one job; default: a UUID. At most 256 bytes of UTF-8. */
  readonly id?: string;
  /** A whole number from -1 000 000 to 1 000 000; the higher runs first; default 0. */
  readonly priority?: number;
}

const optionNames: OptionNames<EnqueueOptions> = {
  delayMs: true,
  maxAttempts: true,
  backoff: true,
  id: true,
  priority: true,
};
const backoffNames: OptionNames<Backoff> = { type: true, delayMs: true, maxDelayMs: true };

const longestIdBytes = 256;
/** About thirty years: sums stay exact integers, and drivers can store them in fifteen digits. */
const longestDurationMs = 1e12;
const largestPriority = 1_000_000;

/**
 * Validates the options at once, so that the caller gets the error, not a later log record.
 *
 * @throws EspalierError (`ERR_QUEUE_BAD_OPTION`)
 */
export function checkEnqueueOptions(name: string, options: EnqueueOptions): void {
  checkName(name, "The name of a job");
  const owner = { code: "ERR_QUEUE_BAD_OPTION", name: `enqueue(${describe(name)})` } as const;
  checkOptionNames(owner, options, optionNames);
  if (options.backoff !== undefined) {
    checkOptionNames({ ...owner, name: `${owner.name}, backoff` }, options.backoff, backoffNames);
  }
  if (options.id !== undefined) checkName(options.id, "The id of a job");
  checkDuration("delayMs", options.delayMs);
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

/** Validates a name: non-empty, well-formed, no control characters, at most 256 bytes. */
export function checkName(name: string, what: string): void {
  if (typeof name !== "string" || name === "" || !name.isWellFormed() || /\p{Cc}/u.test(name)) {
    throw invalid(
      `${what} must be a non-empty string without control characters, got ${describe(name)}.`,
    );
  }
  // A UTF-16 unit is at most three bytes of UTF-8, so most names need not be measured.
  if (name.length * 3 <= longestIdBytes) return;
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > longestIdBytes) {
    throw invalid(`${what} must have at most ${longestIdBytes} bytes, got ${bytes}.`);
  }
}

/** Validates a duration: a non-negative number of milliseconds, or undefined. */
export function checkDuration(option: string, value: number | undefined): void {
  if (value === undefined) return;
  // A string of digits compares like a number, but concatenates in additions.
  if (typeof value !== "number" || !(value >= 0 && value <= longestDurationMs)) {
    throw invalid(
      `${option} must be a number of milliseconds from 0 to ${longestDurationMs}, got ${describe(value)}.`,
    );
  }
}

/** Validates a count: a positive integer, or undefined. */
export function checkCount(option: string, value: number | undefined): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || value < 1) {
    throw invalid(`${option} must be a positive integer, got ${describe(value)}.`);
  }
}

function invalid(message: string): EspalierError {
  return new EspalierError("ERR_QUEUE_BAD_OPTION", message);
}
