/** Tests whether a character, given as its code point, belongs to a class. */
export type CharacterTest = (codePoint: number) => boolean;

/** Returns the character class of an escape letter such as `d`; undefined for any other letter. */
export function escapedClass(letter: string): CharacterTest | undefined {
  switch (letter) {
    case "d":
      return isDigit;
    case "D":
      return (codePoint) => !isDigit(codePoint);
    case "w":
      return isWord;
    case "W":
      return (codePoint) => !isWord(codePoint);
    case "s":
      return isSpace;
    case "S":
      return (codePoint) => !isSpace(codePoint);
    default:
      return undefined;
  }
}

/** Line terminators, which `.` does not match (ECMAScript, LineTerminator). */
export function isLineTerminator(codePoint: number): boolean {
  return codePoint === 0x0a || codePoint === 0x0d || codePoint === 0x2028 || codePoint === 0x2029;
}

function isDigit(codePoint: number): boolean {
  return codePoint >= 0x30 && codePoint <= 0x39;
}

/** ASCII only, as in JavaScript: `é` does not match `\w`. */
function isWord(codePoint: number): boolean {
  return (
    isDigit(codePoint) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    (codePoint >= 0x61 && codePoint <= 0x7a) ||
    codePoint === 0x5f
  );
}

/** ECMAScript's WhiteSpace and LineTerminator. */
function isSpace(codePoint: number): boolean {
  return (
    (codePoint >= 0x09 && codePoint <= 0x0d) ||
    codePoint === 0x20 ||
    codePoint === 0xa0 ||
    codePoint === 0x1680 ||
    (codePoint >= 0x2000 && codePoint <= 0x200a) ||
    isLineTerminator(codePoint) ||
    codePoint === 0x202f ||
    codePoint === 0x205f ||
    codePoint === 0x3000 ||
    codePoint === 0xfeff
  );
}
