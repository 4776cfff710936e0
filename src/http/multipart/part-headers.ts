import { HttpError } from "../http-error.ts";
import { parseDisposition } from "./disposition.ts";
import { formTooLarge, malformedForm } from "./failures.ts";
import { findCharsetDecoder } from "./part-content.ts";

/** Parsed headers of a part. */
export interface PartHead {
  /** Name of the form field. */
  readonly name: string;
  /** Filename as the client sent it; undefined for a text field. */
  readonly filename: string | undefined;
  /**
   * Media type as a `File` has it: in lower case, and empty when it has other characters than printable ASCII. It is
   * `text/plain` when the part has none (RFC 7578, section 4.4).
   */
  readonly type: string;
  /** All headers as sent, by lower-case name; of a repeated one the values, joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
}

/** RFC 6838, section 4.2: type and subtype have at most 127 characters each. Those in use leave room for parameters. */
const maxTypeLength = 256;

const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Headers that must not repeat: two readers could interpret the part differently. */
const singleHeaders: readonly string[] = [
  "content-disposition",
  "content-type",
  "content-transfer-encoding",
];

/** Encodings that leave the bytes unchanged (RFC 2045, section 6.2). */
const identityEncodings: readonly string[] = ["", "7bit", "8bit", "binary"];

/**
 * Parses the headers of a part (RFC 7578, section 4).
 *
 * @param text the header lines, joined with CRLF
 * @throws {HttpError} 400 when they are malformed, 413 when a name is too long, 415 for a transfer encoding, and for
 *   an unknown charset of a text field
 */
export function parsePartHead(text: string, maxNameLength: number): PartHead {
  const headers = parseHeaders(unfold(text.split("\r\n")));
  const transferEncoding = headers.get("content-transfer-encoding") ?? "";
  if (!identityEncodings.includes(transferEncoding.toLowerCase())) {
    // Deprecated by RFC 7578, section 4.7. Undecoded, the content would be wrong data.
    const detail = "The Content-Transfer-Encoding of a part must be 7bit, 8bit or binary.";
    throw new HttpError(415, detail);
  }
  const disposition = headers.get("content-disposition") ?? "";
  const { name, filename } = parseDisposition(disposition, maxNameLength);
  const head = { name, filename, type: readType(headers.get("content-type")), headers };
  // A field whose text cannot be decoded fails here, before its bytes are read.
  if (filename === undefined) findCharsetDecoder(head);
  return head;
}

function readType(contentType = ""): string {
  if (contentType === "") return "text/plain";
  if (contentType.length > maxTypeLength) {
    throw formTooLarge("The Content-Type of a part", maxTypeLength, "characters");
  }
  // A tab is a blank, which clients that fold the header may write.
  const type = contentType.replaceAll("\t", " ").toLowerCase();
  return /^[ -~]*$/.test(type) ? type : "";
}

/** Joins folded lines: one that begins with a blank continues the line before (RFC 5322, section 2.2.3). */
function unfold(lines: readonly string[]): string[] {
  const unfolded: string[] = [];
  for (const line of lines) {
    const isContinuation = line.startsWith(" ") || line.startsWith("\t");
    if (!isContinuation) {
      unfolded.push(line);
      continue;
    }
    const previous = unfolded.pop();
    if (previous === undefined) throw malformedHeader();
    unfolded.push(previous + line);
  }
  return unfolded;
}

function parseHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    // A bare CR or NUL is read as a line end by some, as text by others.
    if (!fieldName.test(name) || line.includes("\r") || line.includes("\0")) {
      throw malformedHeader();
    }
    const value = trimBlanks(line.slice(colon + 1));
    const present = headers.get(name);
    if (present !== undefined && singleHeaders.includes(name)) {
      throw malformedForm("a part repeats a header that must occur once");
    }
    headers.set(name, present === undefined ? value : `${present}, ${value}`);
  }
  return headers;
}

/** Removes blanks around a value, with loops: `/[ \t]+$/` takes quadratic time on blanks. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function malformedHeader(): HttpError {
  return malformedForm("a part has a malformed header line");
}
