const quote = 0x22;
const percent = 0x25;
const backslash = 0x5c;

/** Characters of one call of `String.fromCharCode`: engines limit the number of arguments. */
const chunkLength = 8_192;

/**
 * Removes the backslash before a quote or a backslash, and decodes the three escapes that browsers write: `%22`, `%0D`
 * and `%0A` (WHATWG HTML, section 4.10.21.8). Other backslashes and escapes are literal: old browsers send paths such
 * as `C:\new\a.txt`.
 *
 * A loop over the characters: replacing by regular expressions costs several times as much for a name of escapes only.
 */
export function unescapeName(text: string): string {
  if (!text.includes("\\") && !text.includes("%")) return text;
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash && isEscapable(text.charCodeAt(at + 1))) {
      at += 1;
      codes.push(text.charCodeAt(at));
      continue;
    }
    const decoded = code === percent ? decodeEscape(text, at) : undefined;
    codes.push(decoded ?? code);
    if (decoded !== undefined) at += 2;
  }
  let name = "";
  for (let at = 0; at < codes.length; at += chunkLength) {
    name += String.fromCharCode(...codes.slice(at, at + chunkLength));
  }
  return name;
}

function isEscapable(code: number): boolean {
  return code === quote || code === backslash;
}

/** Returns the character code of an escape that browsers write; undefined for any other. */
function decodeEscape(text: string, at: number): number | undefined {
  const first = text.charCodeAt(at + 1);
  const second = text.charCodeAt(at + 2);
  if (first === 0x32) return second === 0x32 ? quote : undefined;
  if (first !== 0x30) return undefined;
  // In lower case: d or a.
  if ((second | 0x20) === 0x64) return 0x0d;
  return (second | 0x20) === 0x61 ? 0x0a : undefined;
}
