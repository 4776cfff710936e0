import { HttpError } from "../http-error.ts";
import { isNamed } from "./ascii.ts";
import { parseDisposition } from "./disposition.ts";
import { formTooLarge, malformedForm } from "./failures.ts";
import type { FormText } from "./form-text.ts";
import { type HeaderLines, visitHeaders } from "./header-lines.ts";

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
  /** `Content-Type` as sent; empty when the part has none. */
  readonly contentType: string;
  /** The header lines, unfolded, and valid until the next token. */
  readonly lines: HeaderLines;
}

/** RFC 6838, section 4.2: type and subtype have at most 127 characters each. Those in use leave room for parameters. */
const maxTypeLength = 256;

/** Headers that are used. They must not repeat: two readers could interpret the part differently. */
const disposition = 0;
const contentType = 1;
const transferEncoding = 2;
const usedHeaders: readonly string[] = [
  "content-disposition",
  "content-type",
  "content-transfer-encoding",
];

/** Encodings that leave the bytes unchanged (RFC 2045, section 6.2). */
const identityEncodings: readonly string[] = ["", "7bit", "8bit", "binary"];

/** A range of the bytes. */
interface Value {
  readonly start: number;
  readonly end: number;
}

const missing: Value = { start: 0, end: 0 };

/**
 * Parses the headers of a part (RFC 7578, section 4). Only the values that are used are decoded: a client chooses how
 * many headers a part has.
 *
 * @param lines header lines that are not folded
 * @throws {HttpError} 400 when they are malformed, 413 when a name is too long, 415 for a transfer encoding, and for
 *   an unknown charset of a text field
 */
export function parsePartHead(lines: HeaderLines, text: FormText, maxNameLength: number): PartHead {
  const { bytes } = lines;
  const values = findUsedValues(lines);
  const decode = ({ start, end }: Value = missing): string => text.decode(bytes, start, end);
  if (!identityEncodings.includes(decode(values[transferEncoding]).toLowerCase())) {
    // Deprecated by RFC 7578, section 4.7. Undecoded, the content would be wrong data.
    const detail = "The Content-Transfer-Encoding of a part must be 7bit, 8bit or binary.";
    throw new HttpError(415, detail);
  }
  const { start, end } = values[disposition] ?? missing;
  const { name, filename } = parseDisposition(bytes, start, end, text, maxNameLength);
  const type = decode(values[contentType]);
  const head = { name, filename, type: readType(type), contentType: type, lines };
  // A field whose text cannot be decoded fails here, before its bytes are read.
  if (filename === undefined) text.findDecoder(type);
  return head;
}

/** Returns the values of the used headers, in the order of their list. */
function findUsedValues(lines: HeaderLines): readonly (Value | undefined)[] {
  const values: (Value | undefined)[] = [undefined, undefined, undefined];
  visitHeaders(lines, (nameStart, nameEnd, start, end) => {
    for (let index = 0; index < usedHeaders.length; index += 1) {
      if (!isNamed(lines.bytes, nameStart, nameEnd, usedHeaders[index] ?? "")) continue;
      if (values[index] !== undefined) {
        throw malformedForm("a part repeats a header that must occur once");
      }
      values[index] = { start, end };
    }
  });
  return values;
}

function readType(value: string): string {
  if (value === "") return "text/plain";
  if (value.length > maxTypeLength) {
    throw formTooLarge("The Content-Type of a part", maxTypeLength, "characters");
  }
  // A tab is a blank, which clients that fold the header may write.
  const type = value.replaceAll("\t", " ").toLowerCase();
  return /^[ -~]*$/.test(type) ? type : "";
}
