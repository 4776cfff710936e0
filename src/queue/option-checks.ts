import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";

const longestIdBytes = 256;
/** About thirty years: sums stay exact integers, and drivers can store them in fifteen digits. */
const longestDurationMs = 1e12;

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

/** Creates the error for an option of a job. */
export function invalid(message: string): EspalierError {
  return new EspalierError("ERR_QUEUE_BAD_OPTION", message);
}
