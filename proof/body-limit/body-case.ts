/** One request with a body, and what may become of it. */
export interface BodyCase {
  readonly title: string;
  /** Names it in the header `x-case`. */
  readonly name: string;
  readonly path: string;
  readonly limit: number;
  readonly contentType: string;
  /** Lines of the head that differ, each with its end. */
  readonly headers: string;
  /** What follows the head, piece by piece. */
  readonly pieces: readonly Buffer[];
  /** Bytes on the wire for each byte of the body: six where each has a chunk of its own. */
  readonly wireShare: number;
  /** Waits so long between the pieces. */
  readonly pauseMs: number;
  /** Sends the last piece again and again until there is an answer. */
  readonly isEndless: boolean;
  /** Closes its side behind the last piece. */
  readonly endsStream: boolean;
  /** Whether a handler may run: the body is whole and within the limit. */
  readonly mayRun: boolean;
  /** Allowed statuses of the answer; none when the connection may just end. */
  readonly statuses: readonly number[];
}

/** A body of exactly so many bytes that can be parsed, with its content type. */
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

/** At least as large as the framing of its one file. */
export function multipartOf(size: number): Content {
  const text = partHead + "x".repeat(Math.max(0, size - partHead.length - partEnd.length));
  return { type: "multipart/form-data; boundary=cut", bytes: Buffer.from(text + partEnd) };
}
