import { EspalierError } from "../errors.ts";
import { ignoreRejection } from "../util/ignore.ts";

/**
 * Returns a JSON copy of a payload, or throws an error with the reason why it is not serialisable.
 *
 * `JSON.stringify` silently drops functions and converts NaN, Map and others; a job must not lose data, so
 * these are rejected. Properties that are undefined are omitted, as in JSON; `toJSON` (for example of a
 * Date) is called.
 *
 * @throws EspalierError (`ERR_QUEUE_PAYLOAD_NOT_JSON`, `ERR_QUEUE_PAYLOAD_TOO_LARGE`)
 */
export function copyPayload(
  name: string,
  payload: unknown,
  limitBytes: number | undefined,
): unknown {
  if (payload === undefined) throw notJson(name, "payload is undefined; pass null for none");
  const text = stringify(name, payload);
  checkSize(name, text, limitBytes);
  return JSON.parse(text);
}

function stringify(name: string, payload: unknown): string {
  let text: string | undefined;
  let problem: string | undefined;
  try {
    text = JSON.stringify(payload);
    problem = findLoss(payload, "payload");
  } catch (error) {
    // A cycle, a BigInt, a stack overflow, a toJSON that throws: the engine's message says which.
    throw notJson(name, error instanceof Error ? error.message : "toJSON threw", error);
  }
  if (problem !== undefined) throw notJson(name, problem);
  // Typed as a string, but undefined if toJSON returned a value that JSON cannot represent.
  if (text === undefined) throw notJson(name, "payload.toJSON() gave nothing that JSON can carry");
  return text;
}

/** Describes the first part of `value` that JSON would drop or change; undefined if it is lossless. */
function findLoss(value: unknown, path: string): string | undefined {
  if (value === null) return undefined;
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${path} is ${value}`;
    case "object":
      return findLossInObject(value, path);
    default:
      return `${path} is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}`;
  }
}

function findLossInObject(value: object, path: string): string | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = findLoss(item, `${path}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (!isPlain(value)) {
    ignoreRejection(value);
    const type = value.constructor?.name ?? "an unknown class";
    return `${path} is an instance of ${type}; pass plain data, or give it toJSON()`;
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const problem = findLoss(item, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns true for object literals and objects without a prototype, of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function checkSize(name: string, text: string, limitBytes: number | undefined): void {
  // A UTF-16 unit is at most three bytes of UTF-8, so most payloads need not be measured.
  if (limitBytes === undefined || text.length * 3 <= limitBytes) return;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= limitBytes) return;
  throw new EspalierError(
    "ERR_QUEUE_PAYLOAD_TOO_LARGE",
    `The payload of the job "${name}" has ${bytes} bytes; this queue accepts at most ${limitBytes}. ` +
      "Store the data elsewhere, and enqueue its key.",
  );
}

function notJson(name: string, problem: string, cause?: unknown): EspalierError {
  return new EspalierError(
    "ERR_QUEUE_PAYLOAD_NOT_JSON",
    `The payload of the job "${name}" is not JSON: ${problem}.`,
    { cause },
  );
}
