import { HttpError } from "./http-error.ts";

/**
 * Reads a body to its end, counting: the number of bytes decides, and `Content-Length` is believed only
 * when it already says that there are too many.
 *
 * @throws {HttpError} 413 when there are more than `limitBytes`, after cancelling the stream; 400 when
 *   the stream breaks off, which is what a client that leaves looks like
 */
export async function readBytes(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limitBytes: number,
  contentLength: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(contentLength) > limitBytes) {
    body.cancel().catch(() => {});
    throw tooLarge(limitBytes);
  }
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joined(chunks, length);
      // A Request made by hand can have a stream of anything; counting needs bytes.
      if (!ArrayBuffer.isView(value)) throw new TypeError("A chunk of the body is not bytes.");
      length += value.byteLength;
      if (length > limitBytes) break;
      chunks.push(value);
    }
  } catch (cause) {
    reader.cancel().catch(() => {});
    throw new HttpError(400, "The request body could not be read to its end.", { cause });
  }
  reader.cancel().catch(() => {});
  throw tooLarge(limitBytes);
}

function joined(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): Uint8Array<ArrayBuffer> {
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

function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The request body is larger than ${limitBytes} bytes.`);
}
