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
  const last = delimiter.length - 1;
  const lastByte = delimiter[last];
  // A delimiter has at most 74 bytes, so that a byte holds a shift.
  const shifts = new Uint8Array(256).fill(delimiter.length);
  for (const [index, byte] of delimiter.subarray(0, last).entries()) shifts[byte] = last - index;

  return (bytes, from) => {
    const { length } = bytes;
    let end = from + last;
    while (end < length) {
      const start = end - last;
      const byte = bytes[end] ?? 0; // in range: the default is for the types
      if (byte === lastByte && bytes[start] === carriageReturn) {
        let matched = 1;
        while (matched < last && bytes[start + matched] === delimiter[matched]) matched += 1;
        if (matched === last) return start;
      }
      const shift = shifts[byte] ?? 1;
      end += shift < 3 ? Math.max(shift, shiftByThirdByte(bytes[start + 2])) : shift;
    }
    return -1;
  };
}

/**
 * The shift by the third byte of a window: a delimiter that begins at the second byte has LF there, one that begins at
 * the third has CR. A client chooses its boundary: one of a single repeated letter would move the window by one byte at
 * a time.
 */
function shiftByThirdByte(byte: number | undefined): number {
  if (byte === lineFeed) return 1;
  return byte === carriageReturn ? 2 : 3;
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
  if (start < earliest) return bytes.length;
  const isPartial = bytes.subarray(start).every((byte, index) => byte === delimiter[index]);
  return isPartial ? start : bytes.length;
}
