import { backslash, carriageReturn, lineFeed, percent, quote } from "./ascii.ts";
import type { FormText } from "./form-text.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Decodes a name without the backslash before a quote or a backslash, and with the three escapes that browsers write:
 * `%22`, `%0D` and `%0A` (WHATWG HTML, section 4.10.21.8). Other backslashes and escapes are literal: old browsers send
 * paths such as `C:\new\a.txt`.
 *
 * The escapes are ASCII, so that bytes can be unescaped: a loop over them takes a tenth of the time of regular
 * expressions.
 */
export function unescapeName(bytes: Bytes, start: number, end: number, text: FormText): string {
  if (!hasEscape(bytes, start, end)) return text.decode(bytes, start, end);
  const name = new Uint8Array(end - start);
  let length = 0;
  for (let at = start; at < end; at += 1) {
    let byte = bytes[at] ?? 0; // in range: the default is for the types
    if (byte === backslash && at + 1 < end && isEscapable(bytes[at + 1])) {
      at += 1;
      byte = bytes[at] ?? 0;
    } else if (byte === percent && at + 2 < end) {
      const decoded = decodeEscape(bytes[at + 1], bytes[at + 2]);
      if (decoded !== undefined) {
        byte = decoded;
        at += 2;
      }
    }
    name[length] = byte;
    length += 1;
  }
  return text.decode(name, 0, length);
}

function hasEscape(bytes: Bytes, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === backslash || bytes[at] === percent) return true;
  }
  return false;
}

function isEscapable(byte: number | undefined): boolean {
  return byte === quote || byte === backslash;
}

/** Returns the byte of an escape that browsers write, given its two digits; undefined for any other. */
function decodeEscape(first: number | undefined, second: number | undefined): number | undefined {
  if (first === 0x32) return second === 0x32 ? quote : undefined;
  if (first !== 0x30 || second === undefined) return undefined;
  // In lower case: d or a.
  if ((second | 0x20) === 0x64) return carriageReturn;
  return (second | 0x20) === 0x61 ? lineFeed : undefined;
}
