import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";

const longestIdBytes = 256;
/** About thirty years: sums stay exact integers, and drivers can store them in fifteen digits. */
const longestDurationMs = 1e12;

/** Validates a name: non-empty, well-formed, no control characters, at most 256 bytes. */
export function checkName(name: string, what: string): void {
  if (!isPlainText(name)) {
    throw invalid(
      `${what} must be a non-empty string without control characters, got ${describe(name)}.`,
    );
  }
  const bytes = sizeOf(name);
  if (bytes > longestIdBytes) {
    throw invalid(`${what} must have at most ${longestIdBytes} bytes, got ${bytes}.`);
  }
}

/**
 * Returns true for a string that a job may have as its id. An engine is not asked for another one, which may come from a
 * client: it could refuse its characters or its length, which would count as a failure.
 */
export function isJobId(id: unknown): boolean {
  return isPlainText(id) && sizeOf(id) <= longestIdBytes;
}

function isPlainText(text: unknown): text is string {
  return typeof text === "string" && text !== "" && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** Returns an upper bound of the bytes of UTF-8, and their exact number if that may be over the limit. */
function sizeOf(text: string): number {
  // A UTF-16 unit is at most three bytes, so most names need not be measured.
  const bound = text.length * 3;
  return bound <= longestIdBytes ? bound : new TextEncoder().encode(text).length;
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

/** Creates the error for an option of a job. */
export function invalid(message: string): EspalierError {
  return new EspalierError("ERR_QUEUE_BAD_OPTION", message);
}
