import { parseBoundary } from "./boundary.ts";
import type { FormText } from "./form-text.ts";
import type { MultipartLimits } from "./limits.ts";
import { createFile, joinPieces } from "./part-content.ts";
import type { PartHead } from "./part-headers.ts";
import { MultipartTokenizer } from "./tokenizer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Parses a multipart form (RFC 7578) whose bytes are all there, and returns its entries in their order: text fields as
 * strings, files as `File`s. An empty file input is a `File` without name and bytes.
 *
 * Entries are created when the whole form is known to be valid and within the limits.
 *
 * @param contentType the `Content-Type` of the form, with its boundary
 * @throws {HttpError} 400 when the form is malformed, 413 when it exceeds a limit, 415 for a charset or a transfer
 *   encoding that is not supported
 */
export function readMultipart(
  bytes: Bytes,
  contentType: string,
  limits?: MultipartLimits,
): [name: string, value: string | File][] {
  const tokenizer = new MultipartTokenizer(parseBoundary(contentType), limits);
  tokenizer.write(bytes);
  const parts: { readonly head: PartHead; readonly pieces: Bytes[] }[] = [];
  for (let token = tokenizer.next(); token !== undefined; token = tokenizer.next()) {
    if (ArrayBuffer.isView(token)) parts.at(-1)?.pieces.push(token);
    else parts.push({ head: token, pieces: [] });
  }
  tokenizer.end();
  return parts.map(({ head, pieces }) => [
    head.name,
    createEntryValue(head, pieces, tokenizer.text),
  ]);
}

function createEntryValue(head: PartHead, pieces: readonly Bytes[], text: FormText): string | File {
  const { filename, type } = head;
  if (filename !== undefined) return createFile(pieces, filename, type);
  return (text.findDecoder(head.contentType) ?? text).decode(joinPieces(pieces));
}
