/** A request with a body, and its allowed results. */
export interface BodyCase {
  readonly title: string;
  /** Value of the header `x-case`. */
  readonly name: string;
  readonly path: string;
  readonly limit: number;
  readonly contentType: string;
  /** Additional header lines, each with its line end. */
  readonly headers: string;
  /** Bytes after the head, in pieces. */
  readonly pieces: readonly Buffer[];
  /** Bytes on the wire per byte of the body: six with one chunk per byte. */
  readonly wireShare: number;
  /** Delay between the pieces. */
  readonly pauseMs: number;
  /** Repeats the last piece until a response arrives. */
  readonly isEndless: boolean;
  /** Closes the sending side after the last piece. */
  readonly endsStream: boolean;
  /** True if a handler may run: the body is complete and within the limit. */
  readonly mayRun: boolean;
  /** Allowed statuses of the response; empty if the connection may be closed without one. */
  readonly statuses: readonly number[];
}

/** Returns a valid body of exactly this size, with its content type. */
export interface Content {
  readonly type: string;
  readonly bytes: Buffer;
}

export function jsonOf(size: number): Content {
  const text = size < 2 ? "1".repeat(size) : `"${"x".repeat(size - 2)}"`;
  return { type: "application/json", bytes: Buffer.from(text) };
}

export function formOf(size: number): Content {
  const text = size < 6 ? "n".repeat(size) : `name=${"x".repeat(size - 5)}`;
  return { type: "application/x-www-form-urlencoded", bytes: Buffer.from(text) };
}

const partHead =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
  "Content-Type: text/plain\r\n\r\n";
const partEnd = "\r\n--cut--\r\n";

/** Must be at least as large as the multipart framing of its file. */
export function multipartOf(size: number): Content {
  const text = partHead + "x".repeat(Math.max(0, size - partHead.length - partEnd.length));
  return { type: "multipart/form-data; boundary=cut", bytes: Buffer.from(text + partEnd) };
}
