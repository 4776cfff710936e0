import { kindOf } from "../util/describe.ts";
import { createTypeError } from "./type-error.ts";

/** Maximum key length passed to a store; leaves room for the store's own prefix or a file name. */
const keyLimitCharacters = 240;
const plainKey = /^[\w.:-]+$/;
const notPlain = /[^\w.:-]/gu;

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
      `A cache key is a string; got ${kindOf(key)}. Write it as text first.`,
    );
  }
  const escaped = escapeKey(key);
  if (prefix.length + escaped.length <= keyLimitCharacters) return prefix + escaped;
  return hash(escaped).then((digest) => `${prefix}~${digest}`);
}

/**
 * Returns the prefix of a namespace's store keys: each name escaped and terminated by `~`, which escaped
 * keys never contain, so that `a` with `b:c` and `a:b` with `c` remain distinct.
 *
 * `undefined` if the names are too long to leave room for keys.
 */
export function namespacePrefix(outer: string, name: string): string | undefined {
  const prefix = `${outer}${escapeKey(name)}~`;
  return prefix.length <= keyLimitCharacters / 2 ? prefix : undefined;
}

function escapeKey(key: string): string {
  if (key === "") return "%";
  if (key === "." || key === "..") return key.replaceAll(".", "%2E");
  return plainKey.test(key) ? key : key.replace(notPlain, escapeCharacter);
}

function escapeCharacter(character: string): string {
  // Lone surrogates have no UTF-8 encoding: all of them would become the same U+FFFD.
  if (!character.isWellFormed()) return `%u${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${hex(byte).toUpperCase()}`,
  ).join("");
}

/** Hashes the escaped form, which is ASCII, so that lone surrogates remain distinct. */
async function hash(escaped: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(escaped));
  return Array.from(new Uint8Array(digest), hex).join("");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
