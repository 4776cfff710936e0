import { EspalierError } from "../errors.ts";

/**
 * Writes a value as JSON text; `undefined` and functions, which JSON has no word for, are `null`.
 *
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a BigInt, a cycle or a `toJSON` that
 *   throws; the reason is its `cause`.
 */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (cause) {
    throw new EspalierError(
      "ERR_HTTP_NOT_SERIALIZABLE",
      "The response data cannot be written as JSON; convert BigInt values to strings and " +
        "remove circular references first.",
      { cause },
    );
  }
}
