type Bytes = Uint8Array<ArrayBuffer>;

// They keep no state between whole texts, so that all forms can share them. A byte order mark stays.
const strictDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8; invalid bytes become U+FFFD, as in `TextDecoder`, whose own replacement takes up to 30 ns a byte:
 * half a second for a form of 20 MiB.
 */
export function decodeUtf8(bytes: Bytes): string {
  // Of a short text the exception would cost more.
  if (bytes.length < 256) return lenientDecoder.decode(bytes);
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return strictDecoder.decode(replaceInvalid(bytes));
  }
}

function replaceInvalid(bytes: Bytes): Bytes {
  const valid = new Uint8Array(3 * bytes.length);
  let length = 0;
  let position = 0;
  while (position < bytes.length) {
    const count = sequenceLength(bytes, position);
    if (count > 0) {
      for (const end = position + count; position < end; position += 1) {
        valid[length] = bytes[position] ?? 0;
        length += 1;
      }
      continue;
    }
    // U+FFFD
    valid[length] = 0xef;
    valid[length + 1] = 0xbf;
    valid[length + 2] = 0xbd;
    length += 3;
    position -= count;
  }
  return valid.subarray(0, length);
}

/**
 * Returns the number of bytes of the character at `position`. Of an invalid one it is negative: the bytes that one
 * U+FFFD replaces (WHATWG Encoding, section 8.1.1).
 */
function sequenceLength(bytes: Bytes, position: number): number {
  const first = bytes[position] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return -1;
  const count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The second byte has a narrower range where the first alone allows overlong forms, surrogates, or above U+10FFFF.
  let least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  let most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let index = 1; index < count; index += 1) {
    const byte = bytes[position + index] ?? 0;
    if (byte < least || byte > most) return -index;
    least = 0x80;
    most = 0xbf;
  }
  return count;
}
