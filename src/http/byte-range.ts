/** Part of a file, in bytes. */
export interface ByteRange {
  /** Number of bytes before it. */
  readonly offset: number;
  /** Number of its bytes. */
  readonly length: number;
}

/**
 * Blanks are followed by something else, or there are two ways to divide a run of them: a header of blanks would take
 * quadratic time (ReDoS).
 */
const form = /^bytes[ \t]*=[ \t]*(?:(\d+)[ \t]*)?-[ \t]*(?:(\d+)[ \t]*)?$/i;

/**
 * Returns the part of a file of `size` bytes that a `Range` header requests (RFC 9110 section 14.1.2);
 * "unsatisfiable" for one outside of the file. Undefined, for the whole file, if the header is malformed, has another
 * unit, or requests several parts, which a server may ignore (section 14.2).
 */
export function parseByteRange(
  header: string,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = form.exec(header) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    // "-500" is the last 500 bytes.
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(first);
  if (last !== "" && Number(last) < offset) return undefined;
  if (offset >= size) return "unsatisfiable";
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return { offset, length: end - offset };
}
