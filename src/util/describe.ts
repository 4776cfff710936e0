import { ignoreRejection } from "./ignore.ts";
import { isClass } from "./is-class.ts";

const maxShownCharacters = 200;

/**
 * Returns the kind of a value, for messages that must not repeat the value itself.
 *
 * The rejection of a promise is handled: messages describe values that are refused, which nothing awaits.
 *
 * @example kindOf([]); // "an array"
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) {
    ignoreRejection(value);
    return "a promise";
  }
  if (value instanceof Error) return "an error";
  if (value instanceof ReadableStream) return "a stream";
  if (isClass(value)) return "a class";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * Returns a value as messages show it, in at most about 200 characters. For an object only the names of its
 * fields are shown, since a value may be a secret, and of a URL no user name and password.
 *
 * @example describe("ten"); // '"ten"'
 * @example describe({ limit: 5 }); // "{ limit }"
 */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(withoutCredentials(value));
  if (Array.isArray(value))
    return shortened(`[${value.slice(0, 50).map(describeItem).join(", ")}]`);
  if (isClass(value)) return `the class ${nameOf(value)}`;
  if (isPrimitive(value)) return String(value);
  if (typeof value !== "object" || value instanceof Promise) return kindOf(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return `an instance of ${nameOf(value.constructor)}`;
  }
  const names = Object.keys(value);
  return names.length === 0 ? "{}" : shortened(`{ ${names.join(", ")} }`);
}

/** A URL of a database in the place of its client is a common mistake, and its password must not be logged. */
function withoutCredentials(text: string): string {
  return text
    .slice(0, 10 * maxShownCharacters)
    .replace(/\/\/[^/?#]*@/g, "//***@")
    .slice(0, maxShownCharacters);
}

function describeItem(item: unknown): string {
  // An array could contain itself.
  return Array.isArray(item) ? kindOf(item) : describe(item);
}

function isPrimitive(value: unknown): value is null | undefined | number | boolean {
  return value === null || ["undefined", "number", "boolean"].includes(typeof value);
}

function nameOf(value: unknown): string {
  return (typeof value === "function" && value.name) || "(anonymous)";
}

function shortened(text: string): string {
  return text.length <= maxShownCharacters ? text : `${text.slice(0, maxShownCharacters)}…`;
}
