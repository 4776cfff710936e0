/** Length up to which {@link decodeShortUtf8} takes less time than a `TextDecoder`, in bytes. */
export const maxShortLength = 16;

const replacement = "\ufffd";

/**
 * Decodes a few bytes of UTF-8 as a `TextDecoder` does that is not fatal and keeps byte order marks (WHATWG Encoding,
 * section 8.1.1). A call of a `TextDecoder` takes longer than the rest of a small field, of which a form can have
 * a thousand.
 */
export function decodeShortUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  let codePoint = 0;
  /** Number of bytes that the character still needs, and the range of the next one. */
  let needed = 0;
  let lower = 0x80;
  let upper = 0xbf;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0; // in range: the default is for the types
    if (needed === 0) {
      if (byte < 0x80) {
        text += String.fromCharCode(byte);
        continue;
      }
      needed = continuationsAfter(byte);
      if (needed === 0) text += replacement;
      // No overlong forms, surrogates, or code points above U+10FFFF.
      if (byte === 0xe0) lower = 0xa0;
      else if (byte === 0xed) upper = 0x9f;
      else if (byte === 0xf0) lower = 0x90;
      else if (byte === 0xf4) upper = 0x8f;
      codePoint = byte & (0x3f >> needed);
      continue;
    }
    const isContinuation = byte >= lower && byte <= upper;
    lower = 0x80;
    upper = 0xbf;
    if (!isContinuation) {
      text += replacement;
      needed = 0;
      at -= 1; // this byte begins the next character
      continue;
    }
    codePoint = (codePoint << 6) | (byte & 0x3f);
    needed -= 1;
    if (needed === 0) text += String.fromCodePoint(codePoint);
  }
  return needed === 0 ? text : text + replacement;
}

/** Returns the number of bytes that follow the first byte of a character; 0 for an invalid first byte. */
function continuationsAfter(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  if (byte < 0xe0) return 1;
  return byte < 0xf0 ? 2 : 3;
}
