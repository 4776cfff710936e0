import type * as full from "../../util/describe.ts";
import { ignoreRejection } from "../../util/ignore.ts";
import { isClass } from "../../util/is-class.ts";

/**
 * Returns the type of a value; a class differs from a function, in the place of which it is rejected. The rejection of
 * a promise is handled.
 */
export const kindOf: typeof full.kindOf = (value) => {
  if (isClass(value)) return "class";
  ignoreRejection(value);
  return value === null ? "null" : typeof value;
};

/** Returns a string as messages show it, and the type of any other value. */
export const describe: typeof full.describe = (value) =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 200)) : kindOf(value);
