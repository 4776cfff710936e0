import { HttpError } from "../http-error.ts";
import { parseMediaType } from "../media-type.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import type { PartHead } from "./part-headers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Decodes the text of a part in the charset of its `Content-Type`, by default UTF-8 (RFC 7578, section 4.5). Invalid
 * bytes become U+FFFD, and a byte order mark stays.
 *
 * @throws {HttpError} 415 for an unknown charset
 */
export function decodeText(bytes: Bytes, head: Pick<PartHead, "headers">): string {
  const decoder = createTextDecoder(head);
  return decoder === undefined ? decodeUtf8(bytes) : decoder.decode(bytes);
}

/**
 * Returns the decoder for another charset than UTF-8.
 *
 * @throws {HttpError} 415 for an unknown charset
 */
export function createTextDecoder({ headers }: Pick<PartHead, "headers">): TextDecoder | undefined {
  const charset = parseMediaType(headers.get("content-type") ?? "")?.parameters.get("charset");
  if (charset === undefined || charset.toLowerCase() === "utf-8") return undefined;
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch (cause) {
    throw new HttpError(415, "The charset of a part is not supported.", { cause });
  }
}

/** Returns the pieces of a content as one array of its own. */
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
