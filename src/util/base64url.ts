/**
 * Base64url without padding in its canonical form (RFC 4648 section 3.5): the unused bits of the last
 * character are zero. Accepting other forms of the same bytes would allow several spellings of a valid token.
 */
const canonicalText = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Encodes bytes as base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Bytes that one call takes: its number of arguments is limited. */
const chunkBytes = 8192;

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkBytes));
  }
  return btoa(binary);
}

/** Returns whether a string is canonical base64url. */
export function isBase64Url(text: string): boolean {
  return canonicalText.test(text);
}

/** Decodes canonical base64url; returns undefined for any other string. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64Url(text)) return undefined;
  return bytesOfBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/**
 * Decodes the UTF-8 string inside canonical base64url; returns undefined for any other string.
 *
 * @throws TypeError when the bytes are not valid UTF-8
 */
export function textOfBase64Url(text: string): string | undefined {
  if (!isBase64Url(text)) return undefined;
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  const binary = atob(base64);
  // ASCII only: every character is one byte, no decoding needed.
  if (!/[^\0-\x7f]/.test(binary)) return binary;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(bytesOfBinary(binary));
}

/** Decodes base64 with or without padding; returns undefined for an invalid string. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOfBase64(text);
  } catch {
    return undefined;
  }
}

/** Decodes base64 with or without padding. @throws DOMException for an invalid string */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return bytesOfBinary(atob(text));
}

function bytesOfBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
