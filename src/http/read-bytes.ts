import { HttpError } from "./http-error.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A server's request that can read its body faster than through a stream. */
export interface ByteSource {
  /**
   * Reads the body to its end and counts its bytes. Can be called once, and `body` must not be read then.
   *
   * @throws {HttpError} as {@link readBytes}
   */
  readBytes(limitBytes: number, count?: CountBytes): Promise<Bytes>;
  /** Rejects `readBytes` with `reason`, and drops what it has buffered. */
  stopReading?(reason: HttpError): void;
}

/** Called with a number of bytes before they are buffered; throws to stop reading. */
export type CountBytes = (bytes: number) => void;

/** Returns whether a request implements {@link ByteSource}. */
export function isByteSource(request: object): request is ByteSource {
  return "readBytes" in request && typeof request.readBytes === "function";
}

/**
 * Reads a body to its end and limits the bytes actually read; `Content-Length` is used only to reject a
 * body early.
 *
 * @throws {HttpError} 413 when there are more than `limitBytes`, after cancelling the stream; 400 when
 *   the stream breaks off, which is what a client that leaves looks like
 */
export async function readBytes(
  body: ReadableStream<Bytes>,
  limitBytes: number,
  contentLength: string | null,
  count?: CountBytes,
): Promise<Bytes> {
  if (Number(contentLength) > limitBytes) {
    body.cancel().catch(() => {});
    throw bodyTooLarge(limitBytes);
  }
  const reader = readerOf(body);
  const chunks: Bytes[] = [];
  let length = 0;
  let refusal: unknown;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joinBytes(chunks, length);
      // A custom Request can have a stream of any type; counting needs bytes.
      if (!ArrayBuffer.isView(value)) throw new TypeError("A chunk of the body is not bytes.");
      length += value.byteLength;
      refusal = length > limitBytes ? bodyTooLarge(limitBytes) : refusalOf(count, value.byteLength);
      if (refusal !== undefined) break;
      chunks.push(value);
    }
  } catch (cause) {
    reader.cancel().catch(() => {});
    // A stream that counts its bytes fails with a 413.
    throw cause instanceof HttpError ? cause : bodyBrokenOff(cause);
  }
  reader.cancel().catch(() => {});
  throw refusal;
}

/** Returns the error that `count` throws; undefined if the bytes may be buffered. */
export function refusalOf(count: CountBytes | undefined, bytes: number): unknown {
  try {
    count?.(bytes);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The used subset of a stream's reader. */
interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Bytes | undefined }>;
  cancel(): Promise<void>;
}

/** Minimum bytes per read, for readers that support it. */
const pieceBytes = 16_384;

/**
 * Returns a reader of a body. In workerd every chunk costs about 18 µs, regardless of its size; there, a
 * reader can wait for a minimum number of bytes.
 */
function readerOf(body: ReadableStream<Bytes>): ChunkReader {
  if (typeof ReadableStreamBYOBReader !== "function") return body.getReader();
  if (!("readAtLeast" in ReadableStreamBYOBReader.prototype)) return body.getReader();
  try {
    const reader = body.getReader({ mode: "byob" }) as unknown as PatientReader; // asked above
    return {
      async read() {
        const { value } = await reader.readAtLeast(pieceBytes, new Uint8Array(pieceBytes));
        // Fewer bytes arrive only at the end of the body, and none after it.
        return value === undefined || value.byteLength === 0
          ? { done: true }
          : { done: false, value: value.slice() };
      },
      cancel: () => reader.cancel(),
    };
  } catch {
    // A custom Request can have a stream that is not a byte stream and does not support BYOB readers.
    return body.getReader();
  }
}

/** A reader of workerd: https://developers.cloudflare.com/workers/runtime-apis/streams/readablestreambyobreader */
interface PatientReader {
  readAtLeast(
    minimumBytes: number,
    view: Bytes,
  ): Promise<{ readonly done: boolean; readonly value: Bytes | undefined }>;
  cancel(): Promise<void>;
}

/** Returns whether `Content-Length` is present, valid and within the limit. */
export function hasLengthWithin(limitBytes: number, contentLength: string | null): boolean {
  return (
    contentLength !== null && /^\d+$/.test(contentLength) && Number(contentLength) <= limitBytes
  );
}

/**
 * Reads a body whose length the server enforces, in one call: in workerd a stream takes four times as long.
 *
 * @throws {HttpError} as {@link readBytes}
 */
export async function readFramed(request: Request, limitBytes: number): Promise<Bytes> {
  let bytes: ArrayBuffer;
  try {
    bytes = await request.arrayBuffer();
  } catch (cause) {
    throw bodyBrokenOff(cause);
  }
  if (bytes.byteLength > limitBytes) throw bodyTooLarge(limitBytes);
  return new Uint8Array(bytes);
}

/** Concatenates the chunks of a body; `length` is their total length. */
export function joinBytes(chunks: readonly Bytes[], length: number): Bytes {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

export function bodyTooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The request body is larger than ${limitBytes} bytes.`);
}

/** Returns the error for a stream that fails. One that counts its bytes fails with its own 413. */
export function bodyBrokenOff(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause;
  return new HttpError(400, "The request body could not be read to its end.", { cause });
}
