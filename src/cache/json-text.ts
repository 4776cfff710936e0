import { createTypeError } from "./type-error.ts";

/** What `Object.prototype.toString` says of values whose content JSON writes down. */
const PLAIN_TAGS: ReadonlySet<string> = new Set([
  "[object Object]",
  "[object String]",
  "[object Number]",
  "[object Boolean]",
]);

/**
 * A value as JSON text, refusing what JSON would lose without a word.
 *
 * A Date, a URL and everything else with a `toJSON` is what that says; an instance of a class is
 * its own fields; `undefined` fields are left out; `NaN` and `Infinity` are `null`. A Map, Set,
 * Promise, RegExp, Error, typed array, Response, function, symbol, BigInt or a cycle is refused.
 *
 * @param key under which it is to be cached, for the message
 * @throws TypeError with the code `ERR_CACHE_NOT_JSON`, naming the key and the place inside the value
 */
export function toLosslessJson(value: unknown, key: string): string {
  let text: string | undefined;
  let loss: Loss | undefined;
  try {
    text = JSON.stringify(value);
    loss = findLoss(value);
  } catch (cause) {
    // A BigInt, a cycle, a nesting too deep for the stack, or a getter or toJSON that threw.
    const reason = cause instanceof Error ? cause.message : "reading it threw";
    throw notJson(key, `JSON cannot hold the value: ${reason}`, { cause });
  }
  if (loss !== undefined) {
    throw notJson(key, `JSON cannot hold the ${loss.what} at value${loss.place}.`);
  }
  if (text === undefined) throw notJson(key, "JSON cannot hold the value: it has no JSON form.");
  return text;
}

function notJson(key: string, message: string, options?: ErrorOptions): TypeError {
  return createTypeError(
    "ERR_CACHE_NOT_JSON",
    `The value of ${JSON.stringify(key.slice(0, 200))} cannot be cached: ${message} Cache plain data: objects, arrays, strings, numbers, booleans and null.`,
    options,
  );
}

interface Loss {
  readonly what: string;
  readonly place: string;
}

/** The first place where JSON would drop content; the place is spelled only when there is one. */
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
  if (!PLAIN_TAGS.has(tag)) return { what: tag.slice(8, -1), place: "" };
  for (const name of Object.keys(value)) {
    const loss = findLoss(Reflect.get(value, name));
    if (loss !== undefined) return { what: loss.what, place: `.${name}${loss.place}` };
  }
  return undefined;
}

function hasToJson(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
