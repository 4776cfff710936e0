import { EspalierError } from "../errors.ts";
import { findUnknownOption, type OptionNames } from "../util/option-names.ts";

/** An error about one option of a middleware, thrown where the middleware is constructed. */
export function badOption(
  middleware: string,
  option: string,
  value: unknown,
  wayOut: string,
): EspalierError {
  return new EspalierError(
    "ERR_MIDDLEWARE_BAD_OPTION",
    `${middleware} got ${option} ${describe(value)}: ${wayOut}.`,
  );
}

/** Refuses an option that there is not, with the nearest name. */
export function checkOptionNames<Options extends object>(
  middleware: string,
  options: Options,
  names: OptionNames<Options>,
): void {
  const problem = findUnknownOption(options, names);
  if (problem === undefined) return;
  throw new EspalierError("ERR_MIDDLEWARE_BAD_OPTION", `${middleware}: ${problem}`);
}

/** A whole number of at least `least`; anything else is the error that names the option. */
export function wholeNumber(
  middleware: string,
  option: string,
  value: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `${least} to ${most}`;
  throw badOption(middleware, option, value, `use a whole number, ${range}`);
}

function describe(value: unknown): string {
  // JSON has no word for NaN and Infinity, and would say null.
  if (typeof value === "number" || value === undefined) return String(value);
  return typeof value === "function" ? "a function" : String(JSON.stringify(value)).slice(0, 200);
}
