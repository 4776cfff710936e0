import { EspalierError } from "../errors.ts";

/** Maximum number of objects searched for promises: a full search could cost more than serialising. */
const mostObjects = 100;

/**
 * Serialises a value as JSON; `undefined` and functions, which JSON cannot represent, become `null`.
 *
 * @param subject names the value in errors
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a BigInt, a cycle or a `toJSON` that
 *   throws; the reason is its `cause`. And for a promise, which JSON would write as `{}`.
 */
export function toJsonText(value: unknown, subject = "The response data"): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "null";
  } catch (cause) {
    throw new EspalierError(
      "ERR_HTTP_NOT_SERIALIZABLE",
      `${subject} cannot be written as JSON; convert BigInt values to strings and ` +
        "remove circular references first.",
      { cause },
    );
  }
  // Fast path: searching the text is cheap, and most values need no traversal.
  if (text.includes("{}") && hasPromise(value)) throw notAwaited(value, subject);
  return text;
}

/** Searches the first objects for a promise, breadth-first. */
function hasPromise(value: unknown): boolean {
  const objects: object[] = isObject(value) ? [value] : [];
  // The array grows during the iteration.
  for (const [index, object] of objects.entries()) {
    if (object instanceof Promise) return true;
    if (index >= mostObjects || "toJSON" in object) continue;
    for (const inner of Object.values(object)) if (isObject(inner)) objects.push(inner);
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function notAwaited(value: unknown, subject: string): EspalierError {
  let place = "";
  JSON.stringify(value, (name, inner: unknown) => {
    if (!(inner instanceof Promise)) return inner;
    place ||= name;
    // The promise is discarded: without this handler, its rejection would end the process.
    inner.catch(() => {});
    return null;
  });
  const where = place === "" ? "is a promise" : `has a promise as ${JSON.stringify(place)}`;
  return new EspalierError("ERR_HTTP_NOT_SERIALIZABLE", `${subject} ${where}. Await it first.`);
}
