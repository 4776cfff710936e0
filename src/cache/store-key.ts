import { kindOf } from "../util/describe.ts";
import { escapeKey, hex, keyLimitCharacters } from "./escape-key.ts";
import { createTypeError } from "./type-error.ts";

/**
 * Maps an application's key to the key in the store.
 *
 * The mapping is total and collision-free. Plain keys stay unchanged; other characters are
 * percent-encoded as UTF-8; a key that becomes too long is replaced by `~` and its SHA-256. Only then the
 * result is a promise, because hashing is asynchronous.
 *
 * @param prefix of a namespace, from {@link namespacePrefix}; empty outside one
 */
export function toStoreKey(prefix: string, key: string): string | Promise<string> {
  if (typeof key !== "string") {
    throw createTypeError(
      "ERR_CACHE_BAD_KEY",
      `A cache key must be a string, got ${kindOf(key)}. Convert it first, for example with JSON.stringify().`,
    );
  }
  const escaped = escapeKey(key);
  if (prefix.length + escaped.length <= keyLimitCharacters) return prefix + escaped;
  return hash(escaped).then((digest) => `${prefix}~${digest}`);
}

/** Hashes the escaped form, which is ASCII, so that lone surrogates remain distinct. */
async function hash(escaped: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(escaped));
  return Array.from(new Uint8Array(digest), hex).join("");
}
