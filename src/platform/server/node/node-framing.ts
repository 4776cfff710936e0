/** What is known of a body: its bytes, that it is a stream, or that none follows. */
export type BodyLength = number | "streamed" | "none";

/**
 * The header lines of a response with its framing. How long a body is only the server can say: an application may
 * have the length of another body, after it has exchanged one or of what `fetch` has decoded, and the client would
 * take the end of the body for the next response (RFC 9112, 11.1).
 *
 * @param lines names, in lower case, and values in turn; they are the server's own by now
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

/** Of a stream a length is kept: Node holds the stream to it. */
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
