import { HttpError } from "../../src/http/http-error.ts";
import { type ReferenceHead, readHeadByReference } from "./multipart-reference-head.ts";

/** A part read by the reference; one character of the content is one byte. */
export interface ReferencePart {
  readonly head: ReferenceHead;
  readonly content: string;
}

const malformed = (): HttpError => new HttpError(400);

/**
 * Splits a form as defined by RFC 2046, section 5.1.1, with `split` on the complete text. Shares no code with the parser
 * but that of media types.
 */
export function readByReference(bytes: Uint8Array, boundary: string): ReferencePart[] {
  if (bytes.length === 0) return [];
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const [preamble = "", ...pieces] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const parts: ReferencePart[] = [];
  for (const [index, piece] of pieces.entries()) {
    const lineEnd = piece.indexOf("\r\n");
    if (piece.startsWith("--")) {
      if (!/^--[ \t]*$/.test(lineEnd === -1 ? piece : piece.slice(0, lineEnd))) throw malformed();
      // A CRLF before the first delimiter belongs to the delimiter.
      if (parts.length === 0 && preamble.length > 2) throw malformed();
      return parts;
    }
    if (lineEnd === -1 || !/^[ \t]*$/.test(piece.slice(0, lineEnd))) throw malformed();
    parts.push(readPart(piece.slice(lineEnd + 2), index < pieces.length - 1));
  }
  throw malformed();
}

/** @param isFollowed true if a delimiter follows the text */
function readPart(text: string, isFollowed: boolean): ReferencePart {
  const headEnd = text.startsWith("\r\n") ? 0 : text.indexOf("\r\n\r\n");
  // Without content the CRLF of the empty line belongs to the delimiter.
  if (headEnd === -1 && !(isFollowed && text.endsWith("\r\n"))) throw malformed();
  const head = text.slice(0, headEnd === -1 ? -2 : headEnd);
  if (head.replaceAll("\r\n", "").includes("\n")) throw malformed();
  const content = headEnd === -1 ? "" : text.slice(headEnd + 4);
  return { head: readHeadByReference(decode(head)), content };
}

function decode(text: string): string {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
