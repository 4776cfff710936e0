import type * as full from "../../util/describe.ts";

/** Returns the type of a value. */
export const kindOf: typeof full.kindOf = (value) => (value === null ? "null" : typeof value);

/** Returns a string as messages show it, and the type of any other value. */
export const describe: typeof full.describe = (value) =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 200)) : kindOf(value);
