import { kindOf } from "../util/describe.ts";
import { createTypeError } from "./type-error.ts";

/** The longest key a store is given; it leaves room for a store's own prefix, or a file name. */
const LIMIT_CHARACTERS = 240;
const PLAIN = /^[\w.:-]+$/;
const NOT_PLAIN = /[^\w.:-]/gu;

/**
 * The key under which a store keeps what the application calls `key`.
 *
 * Any text has one, and no two texts share one. Plain keys stay as they are; other characters
 * are written as `%` and the hexadecimal digits of their UTF-8; a key that grows too long becomes
 * `~` and its SHA-256. It is a promise only then, because hashing is asynchronous.
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
  if (prefix.length + escaped.length <= LIMIT_CHARACTERS) return prefix + escaped;
  return hash(escaped).then((digest) => `${prefix}~${digest}`);
}

/**
 * What the store keys of a namespace begin with: each name escaped and closed by `~`, a character
 * that no escaped key holds, so that `a` with `b:c` and `a:b` with `c` stay two keys.
 *
 * `undefined` when the names leave no room for keys.
 */
export function namespacePrefix(outer: string, name: string): string | undefined {
  const prefix = `${outer}${escapeKey(name)}~`;
  return prefix.length <= LIMIT_CHARACTERS / 2 ? prefix : undefined;
}

function escapeKey(key: string): string {
  if (key === "") return "%";
  if (key === "." || key === "..") return key.replaceAll(".", "%2E");
  return PLAIN.test(key) ? key : key.replace(NOT_PLAIN, escapeCharacter);
}

function escapeCharacter(character: string): string {
  // Half a surrogate pair has no UTF-8: encoded, all of them would become the same U+FFFD.
  if (!character.isWellFormed()) return `%u${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${hex(byte).toUpperCase()}`,
  ).join("");
}

/** Of the escaped form, which is ASCII: halves of surrogate pairs stay apart here too. */
async function hash(escaped: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(escaped));
  return Array.from(new Uint8Array(digest), hex).join("");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
