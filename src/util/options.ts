import { type ErrorCode, EspalierError } from "../errors.ts";
import { describe, kindOf } from "./describe.ts";
import { nearestNames } from "./nearest-names.ts";

/** Names of all options of a type; one that is missing here does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Function or class whose options are checked, and the code of its errors. */
export interface OptionOwner {
  readonly code: ErrorCode;
  /** As error messages name it: `CorsMiddleware`, `listen()`. */
  readonly name: string;
}

/**
 * Throws for an unknown option: a misspelt one would silently become its default, which may be less safe.
 *
 * @param names an object with all names as keys, such as the defaults
 * @throws EspalierError with the owner's code
 * @example checkOptionNames(owner, { limt: 5 }, { limit: true });
 * // 'RateLimitMiddleware: unknown option "limt". Did you mean "limit"?'
 */
export function checkOptionNames<Options>(
  owner: OptionOwner,
  options: unknown,
  names: Readonly<Record<keyof Options, unknown>>,
): void {
  const problem = findOptionProblem(options, names);
  if (problem !== undefined) throw new EspalierError(owner.code, `${owner.name}: ${problem}`);
}

/** Returns the problem with the names of options, as the end of a sentence; undefined if all are valid. */
export function findOptionProblem(
  options: unknown,
  names: Readonly<Record<string, unknown>>,
): string | undefined {
  const isObject = typeof options === "object" && options !== null;
  if (!isObject || Array.isArray(options) || options instanceof Promise) {
    return `options must be an object, got ${kindOf(options)}.`;
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  return `unknown option ${JSON.stringify(unknown)}.${nearestNames(unknown, Object.keys(names), 20)}`;
}

/**
 * Creates the error for an option with a wrong value.
 *
 * @param value shown in the message, so it must not be a secret
 * @param expected completes "must be …"
 */
export function badOption(
  owner: OptionOwner,
  option: string,
  value: unknown,
  expected: string,
): EspalierError {
  return new EspalierError(
    owner.code,
    `The option "${option}" of ${owner.name} must be ${expected}, got ${describe(value)}.`,
  );
}

/**
 * Returns the value of an option that is an integer.
 *
 * @throws EspalierError with the owner's code for any other value
 */
export function checkInteger(
  owner: OptionOwner,
  option: string,
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) {
    return Number(value);
  }
  throw badOption(owner, option, value, integerRange(min, max));
}

function integerRange(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) return `an integer from ${min} to ${max}`;
  return min === 1 ? "a positive integer" : `an integer of at least ${min}`;
}
