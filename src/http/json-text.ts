import { EspalierError } from "../errors.ts";

/** How many objects are looked into for promises: more would take time that the text itself does not. */
const mostObjects = 100;

/**
 * Writes a value as JSON text; `undefined` and functions, which JSON has no word for, are `null`.
 *
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a BigInt, a cycle or a `toJSON` that
 *   throws; the reason is its `cause`. And for a promise, which JSON would write as `{}`.
 */
export function toJsonText(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "null";
  } catch (cause) {
    throw new EspalierError(
      "ERR_HTTP_NOT_SERIALIZABLE",
      "The response data cannot be written as JSON; convert BigInt values to strings and " +
        "remove circular references first.",
      { cause },
    );
  }
  // A look at the text takes next to nothing, and spares most values the walk.
  if (text.includes("{}") && hasPromise(value)) throw notAwaited(value);
  return text;
}

/** Whether a promise is among the values of the first objects, outer ones before inner ones. */
function hasPromise(value: unknown): boolean {
  const objects: object[] = isObject(value) ? [value] : [];
  // The list grows while it is walked.
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

function notAwaited(value: unknown): EspalierError {
  let place = "";
  JSON.stringify(value, (name, inner: unknown) => {
    if (!(inner instanceof Promise)) return inner;
    place ||= name;
    // Whatever becomes of it, nobody will hear: without this its rejection would end the process.
    inner.catch(() => {});
    return null;
  });
  const where = place === "" ? "is a promise" : `has a promise as ${JSON.stringify(place)}`;
  return new EspalierError(
    "ERR_HTTP_NOT_SERIALIZABLE",
    `The response data ${where}. Await it first.`,
  );
}
