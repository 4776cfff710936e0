/** Returns the index of the `)` that closes the `(` at `start`, skipping escapes and character classes. */
export function findClosingParenthesis(source: string, start: number): number | undefined {
  let depth = 0;
  let isInClass = false;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === "\\") at++;
    else if (isInClass) isInClass = character !== "]";
    else if (character === "[") isInClass = true;
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at;
  }
  return undefined;
}
