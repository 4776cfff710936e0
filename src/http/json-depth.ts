/**
 * Returns whether JSON text nests arrays and objects deeper than `maxDepth`. Parsers accept hundreds of
 * thousands of levels, and any recursion over the value would then overflow the stack.
 *
 * Counts brackets outside strings, in linear time; the parser checks the syntax.
 */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) {
      isInString = true;
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
