import { HttpError } from "../http-error.ts";
import { parseMediaType } from "../media-type.ts";
import type { PartHead } from "./part-headers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns the decoder for the text of a part in the charset of its `Content-Type`; undefined for UTF-8, the default
 * (RFC 7578, section 4.5), which {@link FormText} decodes. It replaces invalid bytes with U+FFFD and keeps a byte order
 * mark.
 *
 * @throws {HttpError} 415 for an unknown charset
 */
export function findCharsetDecoder({
  headers,
}: Pick<PartHead, "headers">): TextDecoder | undefined {
  const charset = parseMediaType(headers.get("content-type") ?? "")?.parameters.get("charset");
  if (charset === undefined || charset.toLowerCase() === "utf-8") return undefined;
  try {
    const decoder = new TextDecoder(charset, { ignoreBOM: true });
    // UTF-8 has other labels, such as "utf8".
    return decoder.encoding === "utf-8" ? undefined : decoder;
  } catch (cause) {
    throw new HttpError(415, "The charset of a part is not supported.", { cause });
  }
}

/** Returns the pieces of a content as one new array. */
export function joinPieces(pieces: readonly Bytes[]): Bytes {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** Creates a file of the pieces of a content, which are copied. */
export function createFile(pieces: readonly Bytes[], filename: string, type: string): File {
  const file = new File([...pieces], filename, { type });
  // Bun adds a charset to text types.
  if (file.type !== type) Object.defineProperty(file, "type", { value: type });
  return file;
}
