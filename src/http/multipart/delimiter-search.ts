const carriageReturn = 13;
const lineFeed = 10;

/** Returns the index of the first delimiter at or after `from`, or -1. */
export type DelimiterSearch = (bytes: Uint8Array, from: number) => number;

/**
 * Compiles a search for one delimiter: CRLF, two hyphens and the boundary.
 *
 * The algorithm is Horspool's: the byte under the end of the window decides how far the window moves. Candidates are
 * compared from their beginning. CR occurs in a delimiter once, so compared stretches never overlap, and the search is
 * linear in the bytes for every boundary.
 */
export function createDelimiterSearch(delimiter: Uint8Array): DelimiterSearch {
  const { length } = delimiter;
  const last = length - 1;
  // At most 74, so that a byte holds it: two for CRLF, two hyphens, a boundary of 70.
  const shifts = new Uint8Array(256).fill(length);
  for (const [index, byte] of delimiter.subarray(0, last).entries()) shifts[byte] = last - index;

  return (bytes, from) => {
    const lastStart = bytes.length - length;
    let start = from;
    while (start <= lastStart) {
      if (bytes[start] === carriageReturn && matchLength(bytes, start, delimiter) === length) {
        return start;
      }
      // In range, and so are the table's entries; the checks of the compiler are for the types alone.
      const shift = shifts[bytes[start + last] ?? 0] ?? 1;
      start += shift < 3 ? Math.max(shift, shiftByThirdByte(bytes[start + 2])) : shift;
    }
    return -1;
  };
}

/**
 * Returns where the bytes end with the beginning of a delimiter that the next chunk may continue, or their length.
 */
export function findPartialDelimiter(
  bytes: Uint8Array,
  from: number,
  delimiter: Uint8Array,
): number {
  const earliest = Math.max(from, bytes.length - delimiter.length + 1);
  const start = bytes.subarray(earliest).lastIndexOf(carriageReturn) + earliest;
  const isPartial =
    start >= earliest && start + matchLength(bytes, start, delimiter) === bytes.length;
  return isPartial ? start : bytes.length;
}

/** Returns how many bytes from `start` on equal those of the delimiter. */
function matchLength(bytes: Uint8Array, start: number, delimiter: Uint8Array): number {
  let length = 0;
  while (length < delimiter.length && bytes[start + length] === delimiter[length]) length += 1;
  return length;
}

/**
 * The shift by the third byte of a window: a delimiter that begins at the second byte has LF there, one that begins at
 * the third has CR. A client chooses its boundary: one of a single repeated letter, or of one character, would move
 * the window by one byte at a time.
 */
function shiftByThirdByte(byte: number | undefined): number {
  if (byte === lineFeed) return 1;
  return byte === carriageReturn ? 2 : 3;
}
