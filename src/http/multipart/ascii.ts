const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
const space = 0x20;
export const quote = 0x22;
export const percent = 0x25;
export const hyphen = 0x2d;
export const colon = 0x3a;
export const semicolon = 0x3b;
export const equalsSign = 0x3d;
export const backslash = 0x5c;

/** 1 for each byte of a token (RFC 9110, section 5.6.2): the names of headers and of parameters. */
const tokenBytes: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) =>
  /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Returns the index of the first byte at or after `from` that is not part of a token. */
export function skipToken(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && tokenBytes[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** Returns the index of the first byte at or after `from` that is neither a space nor a tab. */
export function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(bytes[at])) at += 1;
  return at;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab;
}

/** Returns whether a range of bytes is a name in lower-case ASCII, in any case. */
export function isNamed(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (toLowerCase(bytes[start + index]) !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Returns the byte of a letter in lower case, and any other byte as it is. */
export function toLowerCase(byte: number | undefined): number | undefined {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
