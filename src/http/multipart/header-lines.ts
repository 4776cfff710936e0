import type { HttpError } from "../http-error.ts";
import { carriageReturn, colon, isBlank, lineFeed, skipBlanks, skipToken } from "./ascii.ts";
import { malformedForm } from "./failures.ts";
import type { FormText } from "./form-text.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A range of bytes: header lines, each with its CRLF. No view of the bytes, of which a form with a thousand parts would
 * need thousands: creating them takes as much time as the rest of the parser.
 */
export interface HeaderLines {
  readonly bytes: Bytes;
  readonly start: number;
  readonly end: number;
}

/** Called with the ranges of a header's name and value, without the blanks around the value. */
type VisitHeader = (
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
) => void;

/**
 * Visits the headers of a part in their order.
 *
 * @throws {HttpError} 400 when a line is malformed
 */
export function visitHeaders({ bytes, start, end }: HeaderLines, visit: VisitHeader): void {
  let at = start;
  while (at < end) {
    const nameStart = at;
    const nameEnd = skipToken(bytes, at, end);
    if (nameEnd === nameStart || bytes[nameEnd] !== colon) throw malformedHeader();
    const lineEnd = findLineEnd(bytes, nameEnd + 1);
    const valueStart = skipBlanks(bytes, nameEnd + 1, lineEnd);
    let valueEnd = lineEnd;
    while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1])) valueEnd -= 1;
    visit(nameStart, nameEnd, valueStart, valueEnd);
    at = lineEnd + 2;
  }
}

/** Returns the index of the CRLF. A bare CR or NUL is read as a line end by some, as text by others. */
function findLineEnd(bytes: Bytes, from: number): number {
  let at = from;
  while (bytes[at] !== carriageReturn) {
    if (bytes[at] === 0) throw malformedHeader();
    at += 1;
  }
  if (bytes[at + 1] !== lineFeed) throw malformedHeader();
  return at;
}

/** Joins folded lines: one that begins with a blank continues the line before (RFC 5322, section 2.2.3). */
export function unfoldLines({ bytes, start, end }: HeaderLines): HeaderLines {
  if (isBlank(bytes[start])) throw malformedHeader();
  const unfolded = new Uint8Array(end - start);
  let length = 0;
  for (let at = start; at < end; at += 1) {
    const isLineEnd = bytes[at] === carriageReturn && bytes[at + 1] === lineFeed;
    if (isLineEnd && at + 2 < end && isBlank(bytes[at + 2])) {
      at += 1;
      continue;
    }
    unfolded[length] = bytes[at] ?? 0; // in range: the default is for the types
    length += 1;
  }
  return { bytes: unfolded, start: 0, end: length };
}

/** Returns all headers as sent, by lower-case name; of a repeated one the values, joined with a comma. */
export function readHeaders(lines: HeaderLines, text: FormText): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  visitHeaders(lines, (nameStart, nameEnd, valueStart, valueEnd) => {
    const name = text.decode(lines.bytes, nameStart, nameEnd).toLowerCase();
    const value = text.decode(lines.bytes, valueStart, valueEnd);
    const present = headers.get(name);
    headers.set(name, present === undefined ? value : `${present}, ${value}`);
  });
  return headers;
}

function malformedHeader(): HttpError {
  return malformedForm("a part has a malformed header line");
}
