import { stringifyLossless } from "../util/stringify-lossless.ts";
import { createTypeError } from "./type-error.ts";

/**
 * Serialises a value as JSON, and throws for data that JSON would silently lose; see
 * {@link stringifyLossless}.
 *
 * @param key under which it is to be cached, for the message
 * @throws TypeError with the code `ERR_CACHE_NOT_JSON`, naming the key and the place inside the value
 */
export function toLosslessJson(value: unknown, key: string): string {
  const json = stringifyLossless(value);
  if ("text" in json) return json.text;
  throw createTypeError(
    "ERR_CACHE_NOT_JSON",
    `The value of ${JSON.stringify(key.slice(0, 200))} cannot be cached: ${json.problem} Cache plain data: objects, arrays, strings, numbers, booleans and null.`,
    "cause" in json ? { cause: json.cause } : undefined,
  );
}
