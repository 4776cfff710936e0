import { HttpError } from "./http-error.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A request of a server that reads its body faster than a stream could. */
export interface ByteSource {
  /**
   * Reads the body to its end, counting. It is read once, and `body` not at all then.
   *
   * @throws {HttpError} as {@link readBytes}
   */
  readBytes(limitBytes: number, count?: CountBytes): Promise<Bytes>;
}

/** Called with a number of bytes before they are kept; throws to stop the reading. */
export type CountBytes = (bytes: number) => void;

/** Whether a request reads its bytes itself. */
export function isByteSource(request: object): request is ByteSource {
  return "readBytes" in request && typeof request.readBytes === "function";
}

/**
 * Reads a body to its end, counting: the number of bytes decides, and `Content-Length` is believed only
 * when it already says that there are too many.
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
      // A Request made by hand can have a stream of anything; counting needs bytes.
      if (!ArrayBuffer.isView(value)) throw new TypeError("A chunk of the body is not bytes.");
      length += value.byteLength;
      refusal = length > limitBytes ? bodyTooLarge(limitBytes) : refusalOf(count, value.byteLength);
      if (refusal !== undefined) break;
      chunks.push(value);
    }
  } catch (cause) {
    reader.cancel().catch(() => {});
    throw bodyBrokenOff(cause);
  }
  reader.cancel().catch(() => {});
  throw refusal;
}

/** Returns what `count` throws; undefined when the bytes may be kept. */
export function refusalOf(count: CountBytes | undefined, bytes: number): unknown {
  try {
    count?.(bytes);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The part of a stream's reader in use. */
interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Bytes | undefined }>;
  cancel(): Promise<void>;
}

/** How much is waited for where a reader can wait, in bytes. */
const pieceBytes = 16_384;

/**
 * A reader of a body. In workerd every chunk costs some 18 µs, however small the client makes them; there a
 * reader can wait for many.
 */
function readerOf(body: ReadableStream<Bytes>): ChunkReader {
  if (typeof ReadableStreamBYOBReader !== "function") return body.getReader();
  if (!("readAtLeast" in ReadableStreamBYOBReader.prototype)) return body.getReader();
  try {
    const reader = body.getReader({ mode: "byob" }) as unknown as PatientReader; // asked above
    return {
      async read() {
        const { value } = await reader.readAtLeast(pieceBytes, new Uint8Array(pieceBytes));
        // Less comes at the end alone, in a view of the whole room; nothing, when it has come.
        return value === undefined || value.byteLength === 0
          ? { done: true }
          : { done: false, value: value.slice() };
      },
      cancel: () => reader.cancel(),
    };
  } catch {
    // A Request made by hand can have a stream of anything, which gives no bytes into a view.
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

/** Whether a body says its length, and that it is within the limit. */
export function hasLengthWithin(limitBytes: number, contentLength: string | null): boolean {
  return (
    contentLength !== null && /^\d+$/.test(contentLength) && Number(contentLength) <= limitBytes
  );
}

/**
 * Reads a body whose length a server enforces, at once: in workerd a stream takes four times as long.
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

/** The chunks of a body as one; `length` is that of all. */
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

/** What is thrown for a stream that fails. One that counts its bytes fails with its own 413. */
export function bodyBrokenOff(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause;
  return new HttpError(400, "The request body could not be read to its end.", { cause });
}
