/** Maximum key length passed to a store; leaves room for the store's own prefix or a file name. */
export const keyLimitCharacters = 240;
const plainKey = /^[\w.:-]+$/;
const notPlain = /[^\w.:-]/gu;

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

/** Returns a key with only plain characters; two keys never become the same. */
export function escapeKey(key: string): string {
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

/** Returns two hexadecimal digits. */
export function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
