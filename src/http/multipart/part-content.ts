import { HttpError } from "../http-error.ts";
import { parseMediaType } from "../media-type.ts";
import type { PartHead } from "./part-headers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Keeps a byte order mark, and no state between whole texts, so that all parts can share it. */
export const utf8Decoder: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", {
  ignoreBOM: true,
});

/**
 * Returns the decoder for the text of a part: that of the charset of its `Content-Type`, or UTF-8 (RFC 7578, section
 * 4.5). It replaces invalid bytes with U+FFFD and keeps a byte order mark.
 *
 * @throws {HttpError} 415 for an unknown charset
 */
export function createTextDecoder({ headers }: Pick<PartHead, "headers">): TextDecoder {
  const charset = parseMediaType(headers.get("content-type") ?? "")?.parameters.get("charset");
  if (charset === undefined || charset.toLowerCase() === "utf-8") return utf8Decoder;
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
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
