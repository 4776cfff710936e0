import { decodeShortUtf8, maxShortLength } from "./short-utf8.ts";

/**
 * Creates a decoder of escapes that may not be UTF-8: the valid ones become bytes, and bytes that are not UTF-8 are replaced
 * with U+FFFD. All bytes of a text are decoded at once, and a short text without a `TextDecoder`: a client could send
 * thousands of either.
 */
export function createLossyDecoder(): (text: string) => string {
  let scratch = new Uint8Array(0);
  return (text) => {
    // A code unit takes at most three bytes.
    if (scratch.length < 3 * text.length) scratch = new Uint8Array(3 * text.length);
    const length = unescapeBytes(scratch, encoder.encodeInto(text, scratch).written);
    return length <= maxShortLength
      ? decodeShortUtf8(scratch, 0, length)
      : lenientDecoder.decode(scratch.subarray(0, length));
  };
}

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
const lenientDecoder: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const percent = 0x25;

/** Percent-decodes valid escapes in place; returns the number of bytes that are left. */
function unescapeBytes(bytes: Uint8Array, end: number): number {
  let length = 0;
  for (let at = 0; at < end; at += 1) {
    let byte = bytes[at] ?? 0; // in range: the default is for the types
    if (byte === percent && at + 2 < end) {
      const escaped = 16 * hexDigit(bytes[at + 1]) + hexDigit(bytes[at + 2]);
      if (escaped >= 0) {
        byte = escaped;
        at += 2;
      }
    }
    bytes[length] = byte;
    length += 1;
  }
  return length;
}

/** Returns the value of a hexadecimal digit; a number far below 0 for another byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -10_000;
}
