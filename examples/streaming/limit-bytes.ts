import { HttpError } from "espalier";

/** Passes bytes through, and throws a 413 error once they exceed `limitBytes`. */
export function limitBytes(
  body: ReadableStream<Uint8Array>,
  limitBytes: number,
): ReadableStream<Uint8Array> {
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received > limitBytes) {
        throw new HttpError(413, `The file must not exceed ${limitBytes} bytes.`);
      }
      controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counter);
}
