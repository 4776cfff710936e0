import type { HttpError } from "../http-error.ts";
import {
  backslash,
  equalsSign,
  isNamed,
  quote,
  semicolon,
  skipBlanks,
  skipToken,
  toLowerCase,
} from "./ascii.ts";
import { decodeExtendedValue } from "./extended-value.ts";
import { formTooLarge, malformedForm } from "./failures.ts";
import type { FormText } from "./form-text.ts";
import { unescapeName } from "./unescape-name.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** `name` and `filename` of a part. */
export interface Disposition {
  readonly name: string;
  /** Undefined for a text field: only a file has one. */
  readonly filename: string | undefined;
}

/** The ranges of a parameter, its value still escaped and without quotes. */
interface Parameter {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

/** Clients write two or three. */
const maxParameters = 16;

const formData = "form-data";

/**
 * Parses the value of a part's `Content-Disposition` (RFC 7578, section 4.2).
 *
 * `name*` and `filename*` (RFC 8187) take precedence over `name` and `filename`, in any order. Unknown parameters are
 * ignored.
 *
 * @param bytes header lines; `start` and `end` are the range of the value, without blanks around it
 * @throws {HttpError} 400 when it is malformed or has no name, 413 when a name is too long
 */
export function parseDisposition(
  bytes: Bytes,
  start: number,
  end: number,
  text: FormText,
  maxNameLength: number,
): Disposition {
  const typeEnd = skipToken(bytes, start, end);
  const parametersStart = skipBlanks(bytes, typeEnd, end);
  const isAlone = parametersStart === end || bytes[parametersStart] === semicolon;
  if (!isAlone || !isNamed(bytes, start, typeEnd, formData)) {
    throw malformedForm("a part must have the Content-Disposition form-data");
  }
  const parameters = parseParameters(bytes, parametersStart, end);
  const decode = (key: string, extendedKey: string): string | undefined => {
    const extended = findParameter(bytes, parameters, extendedKey);
    const parameter = extended ?? findParameter(bytes, parameters, key);
    if (parameter === undefined) return undefined;
    return decodeName(bytes, parameter, extended !== undefined, text, maxNameLength);
  };
  const name = decode("name", "name*");
  const filename = decode("filename", "filename*");
  if (name === undefined) throw malformedForm("a part must have a name");
  if (Math.max(name.length, filename?.length ?? 0) > maxNameLength) {
    throw nameTooLong(maxNameLength);
  }
  return { name, filename };
}

/**
 * Parses `;name=token` and `;name="text"` (RFC 2045, section 5.1). A semicolon without a parameter is ignored (RFC
 * 9110, section 5.6.6).
 */
function parseParameters(bytes: Bytes, from: number, end: number): readonly Parameter[] {
  const parameters: Parameter[] = [];
  let at = from;
  while (at < end) {
    at = skipBlanks(bytes, at, end);
    if (bytes[at] !== semicolon) throw malformedParameter();
    while (at < end && bytes[at] === semicolon) at = skipBlanks(bytes, at + 1, end);
    if (at === end) break;
    const nameStart = at;
    const nameEnd = skipToken(bytes, at, end);
    const equals = skipBlanks(bytes, nameEnd, end);
    if (nameEnd === nameStart || equals === end || bytes[equals] !== equalsSign) {
      throw malformedParameter();
    }
    checkName(bytes, parameters, nameStart, nameEnd);
    const valueStart = skipBlanks(bytes, equals + 1, end);
    const isQuoted = valueStart < end && bytes[valueStart] === quote;
    const start = isQuoted ? valueStart + 1 : valueStart;
    const valueEnd = isQuoted ? findClosingQuote(bytes, start, end) : skipToken(bytes, start, end);
    if (!isQuoted && valueEnd === start) throw malformedParameter();
    parameters.push({ nameStart, nameEnd, start, end: valueEnd });
    at = isQuoted ? valueEnd + 1 : valueEnd;
  }
  return parameters;
}

function checkName(
  bytes: Bytes,
  parameters: readonly Parameter[],
  start: number,
  end: number,
): void {
  for (const { nameStart, nameEnd } of parameters) {
    if (nameEnd - nameStart !== end - start) continue;
    let at = start;
    while (at < end && toLowerCase(bytes[at]) === toLowerCase(bytes[nameStart + at - start]))
      at += 1;
    // Two readers could use different ones: a known way past filters.
    if (at === end) throw malformedForm("a Content-Disposition repeats a parameter");
  }
  if (parameters.length === maxParameters) {
    throw formTooLarge("The Content-Disposition of a part", maxParameters, "parameters");
  }
}

/** Returns the index of the first quote without a backslash before it. */
function findClosingQuote(bytes: Bytes, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte === quote) return at;
    at += byte === backslash ? 2 : 1;
  }
  throw malformedForm("a Content-Disposition has a quote that is not closed");
}

/** @param isExtended true for the extended form of a value (RFC 8187) */
function decodeName(
  bytes: Bytes,
  { start, end }: Parameter,
  isExtended: boolean,
  text: FormText,
  maxLength: number,
): string {
  // Before it is decoded: a character of the name takes at most 9 bytes in an extended value (`%E2%82%AC`), which begins
  // with its charset and language, and 3 in a plain one (`%22`, or UTF-8).
  const mostBytes = isExtended ? 9 * maxLength + 64 : 3 * maxLength;
  if (end - start > mostBytes) throw nameTooLong(maxLength);
  if (!isExtended) return unescapeName(bytes, start, end, text);
  return decodeExtendedValue(unescapeQuoted(text.decode(bytes, start, end)));
}

function findParameter(
  bytes: Bytes,
  parameters: readonly Parameter[],
  name: string,
): Parameter | undefined {
  for (const parameter of parameters) {
    if (isNamed(bytes, parameter.nameStart, parameter.nameEnd, name)) return parameter;
  }
  return undefined;
}

function nameTooLong(maxLength: number): HttpError {
  return formTooLarge("The name and the filename of a part", maxLength, "characters");
}

function malformedParameter(): HttpError {
  return malformedForm("a Content-Disposition has a malformed parameter");
}

/** Removes the backslash before a quote or a backslash. */
function unescapeQuoted(text: string): string {
  return text.includes("\\") ? text.replace(/\\(["\\])/g, "$1") : text;
}
