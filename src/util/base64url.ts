/**
 * Base64url without padding in its one canonical spelling (RFC 4648 section 3.5): the bits that the
 * last character has too many are zero. Any other spelling of the same bytes would make a second
 * token of a valid one.
 */
const canonicalText = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Writes bytes, some kilobytes at the most, as base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Whether a text is base64url in its canonical spelling. */
export function isBase64Url(text: string): boolean {
  return canonicalText.test(text);
}

/** Reads base64url in its canonical spelling; undefined for any other text. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64Url(text)) return undefined;
  return bytesOfBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/**
 * Reads the UTF-8 text inside base64url in its canonical spelling; undefined for any other text.
 *
 * @throws TypeError when its bytes are no UTF-8
 */
export function textOfBase64Url(text: string): string | undefined {
  if (!isBase64Url(text)) return undefined;
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  const binary = atob(base64);
  // Of ASCII each character is a byte, and there is nothing to decode.
  if (!/[^\0-\x7f]/.test(binary)) return binary;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(bytesOfBinary(binary));
}

/** Reads base64 with or without padding; undefined for what is none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOfBase64(text);
  } catch {
    return undefined;
  }
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return bytesOfBinary(atob(text));
}

function bytesOfBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
