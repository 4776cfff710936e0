/** Length of a body: a number of bytes, `streamed` (unknown), or `none` (no body follows). */
export type BodyLength = number | "streamed" | "none";

/**
 * Returns the header lines of a response with its framing. Only the server knows the length of the body: an
 * application may pass the length of another one, for example after replacing it or decoding it with `fetch`,
 * and the client would read the rest of the body as the next response (RFC 9112, 11.1).
 *
 * @param lines lower-case names and values, alternating; may be modified
 */
export function framed(lines: string[], length: BodyLength): string[] {
  let own = lines;
  for (let at = 0; at < lines.length; at += 2) {
    if (lines[at] === "content-length" || lines[at] === "transfer-encoding") {
      own = withoutFalse(lines, length);
      break;
    }
  }
  if (typeof length === "number") own.push("content-length", String(length));
  return own;
}

/** Removes wrong framing headers. Keeps the length of a stream, which Node enforces. */
function withoutFalse(lines: readonly string[], length: BodyLength): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [name = "", value = ""] = lines.slice(at, at + 2);
    if (name === "transfer-encoding") continue;
    if (name === "content-length" && !isPossible(value, length)) continue;
    kept.push(name, value);
  }
  return kept;
}

function isPossible(contentLength: string, length: BodyLength): boolean {
  if (length === "streamed") return /^\d+$/.test(contentLength);
  return length === "none" && contentLength === "0";
}
