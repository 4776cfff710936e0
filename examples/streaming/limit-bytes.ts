import { HttpError } from "espalier";

/** Passes bytes on, and fails with 413 once they are more than `limitBytes`. */
export function limitBytes(
  body: ReadableStream<Uint8Array>,
  limitBytes: number,
): ReadableStream<Uint8Array> {
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received > limitBytes) {
        throw new HttpError(413, `A file may have at most ${limitBytes} bytes.`);
      }
      controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counter);
}
