import { EspalierError } from "../errors.ts";

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
