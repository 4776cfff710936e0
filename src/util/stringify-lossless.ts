import { ignoreRejection } from "./ignore.ts";

/** The JSON of a value, or the reason why it cannot be represented. */
export type JsonResult =
  | { readonly text: string }
  | { readonly problem: string; readonly cause?: unknown };

/** Results of `Object.prototype.toString` for values whose content JSON keeps. */
const plainTags: ReadonlySet<string> = new Set([
  "[object Object]",
  "[object String]",
  "[object Number]",
  "[object Boolean]",
]);

/**
 * Serialises a value as JSON, and refuses values that JSON would lose silently.
 *
 * A Date, a URL and any other value with a `toJSON` is written as that returns; an instance of a class as its
 * own fields; `undefined` fields are omitted; `NaN` and `Infinity` are `null`. A Map, Set, Promise, RegExp,
 * Error, typed array, Response, function, symbol, BigInt or a cycle is a problem.
 *
 * @returns the string, or a problem that completes "… cannot be stored: " with the path inside the value
 */
export function stringifyLossless(value: unknown): JsonResult {
  try {
    const text: string | undefined = JSON.stringify(value);
    const loss = findLoss(value);
    if (loss !== undefined) {
      return { problem: `JSON cannot hold the ${loss.what} at value${loss.place}.` };
    }
    return text === undefined
      ? { problem: "JSON cannot hold the value: it has no JSON form." }
      : { text };
  } catch (cause) {
    // A BigInt, a cycle, a nesting too deep for the stack, or a getter or toJSON that threw.
    const reason = cause instanceof Error ? cause.message : "reading it threw";
    return { problem: `JSON cannot hold the value: ${reason}.`, cause };
  }
}

interface Loss {
  readonly what: string;
  readonly place: string;
}

/** Returns the first place where JSON would drop content; its path is only built if there is one. */
function findLoss(value: unknown): Loss | undefined {
  if (typeof value === "function" || typeof value === "symbol") {
    return { what: typeof value, place: "" };
  }
  if (typeof value !== "object" || value === null || hasToJson(value)) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const loss = findLoss(value[index]);
      if (loss !== undefined) return { what: loss.what, place: `[${index}]${loss.place}` };
    }
    return undefined;
  }
  const tag = Object.prototype.toString.call(value);
  if (!plainTags.has(tag)) {
    ignoreRejection(value);
    return { what: tag.slice(8, -1), place: "" };
  }
  for (const name of Object.keys(value)) {
    const loss = findLoss(Reflect.get(value, name));
    if (loss !== undefined) return { what: loss.what, place: `.${name}${loss.place}` };
  }
  return undefined;
}

function hasToJson(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
