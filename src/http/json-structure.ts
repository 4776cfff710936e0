/** Structure of JSON text, as far as its cost depends on it; the parser checks the syntax. */
export interface JsonStructure {
  /** True if arrays and objects are nested deeper than allowed; the rest of the text was not read. */
  readonly isTooDeep: boolean;
  /** Number of member names, repeated ones included. */
  readonly names: number;
}

/**
 * Reads the structure of JSON text outside its strings, in linear time. Parsers accept hundreds of thousands of
 * levels, and any recursion over the value would then overflow the stack.
 */
export function readJsonStructure(text: string, maxDepth: number): JsonStructure {
  let depth = 0;
  let names = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) {
      isInString = true;
    } else if (code === colon) {
      names += 1;
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > maxDepth) return { isTooDeep: true, names };
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    }
  }
  return { isTooDeep: false, names };
}

/**
 * Returns whether JSON text has more than `most` different member names. An engine stores each name, and a shape of
 * the objects that have it: a new name takes ten times as long to parse as a repeated one.
 *
 * A name that is spelt in two ways (`"a"` and `"\u0061"`) counts twice.
 *
 * @param names number of names in the text, repeated ones included
 */
export function hasMoreNames(text: string, names: number, most: number): boolean {
  const different = new Set<string>();
  let unread = names;
  let start = text.indexOf('"');
  // Ends as soon as the rest cannot exceed the limit: at once for rows with the same names.
  while (start !== -1 && different.size + unread > most) {
    const end = findClosingQuote(text, start);
    if (end === -1) return false;
    let after = end + 1;
    while (text.charCodeAt(after) <= space) after += 1;
    if (text.charCodeAt(after) === colon) {
      different.add(text.slice(start + 1, end));
      if (different.size > most) return true;
      unread -= 1;
    }
    start = text.indexOf('"', after);
  }
  return false;
}

/** Returns the index of the quote that ends a string, -1 if none does. */
function findClosingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Returns whether an odd number of backslashes precedes an index. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (index - first) % 2 === 1;
}

const space = 0x20;
const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
