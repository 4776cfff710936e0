import { parseBoundary } from "./boundary.ts";
import type { MultipartLimits } from "./limits.ts";
import { Part } from "./part.ts";
import { PartReader } from "./part-reader.ts";
import { MultipartTokenizer } from "./tokenizer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Parses a multipart form (RFC 7578) while it arrives, and yields its parts in their order.
 *
 * Nothing is read from the source before it is needed, and at most one chunk of it is held, whatever the size of the
 * form. When the loop ends early, or fails, the source is cancelled.
 *
 * @param source the bytes of the form; not locked before the first part is requested
 * @param contentType the `Content-Type` of the form, with its boundary
 * @throws {HttpError} 400 when the form is malformed or breaks off, 413 when it exceeds a limit, 415 for a charset or
 *   a transfer encoding that is not supported
 * @example
 * for await (const part of parseMultipart(request.body, contentType)) {
 *   if (part.filename === undefined) fields.set(part.name, await part.text());
 *   else await store(part.name, part.body);
 * }
 */
export async function* parseMultipart(
  source: ReadableStream<Bytes> | Bytes,
  contentType: string,
  limits?: MultipartLimits,
): AsyncGenerator<Part, undefined, undefined> {
  const tokenizer = new MultipartTokenizer(parseBoundary(contentType), limits);
  const reader = new PartReader(source, tokenizer);
  let part: Part | undefined;
  try {
    for (let head = await reader.readHead(); head !== undefined; head = await reader.readHead()) {
      part = new Part(head, () => reader.readPiece(), tokenizer.text);
      yield part;
      await part.close();
    }
  } finally {
    reader.cancel();
    part?.close();
  }
}
