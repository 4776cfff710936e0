import type { HttpError } from "../http-error.ts";
import { decodeExtendedValue } from "./extended-value.ts";
import { formTooLarge, malformedForm } from "./failures.ts";
import { unescapeName } from "./unescape-name.ts";

/** `name` and `filename` of a part. */
export interface Disposition {
  readonly name: string;
  /** Undefined for a text field: only a file has one. */
  readonly filename: string | undefined;
}

/** Clients write two or three. */
const maxParameters = 16;

const formData = /^form-data[ \t]*(?=;|$)/i;

/**
 * A semicolon and what follows it: `name=token`, `name="` (RFC 2045, section 5.1) or no parameter (RFC 9110, section
 * 5.6.6). No two of its loops match the same text, so it takes linear time.
 */
const parameterStart =
  /^[ \t]*;[; \t]*(?:([!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"))?/;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Parses the value of a part's `Content-Disposition` (RFC 7578, section 4.2).
 *
 * `name*` and `filename*` (RFC 8187) take precedence over `name` and `filename`, in any order. Unknown parameters are
 * ignored.
 *
 * @param value the value, without blanks around it
 * @throws {HttpError} 400 when it is malformed or has no name, 413 when a name is too long
 */
export function parseDisposition(value: string, maxNameLength: number): Disposition {
  const type = formData.exec(value)?.[0];
  if (type === undefined) throw malformedForm("a part must have the Content-Disposition form-data");
  const parameters = parseParameters(value.slice(type.length));
  const name = decodeName(parameters, "name", maxNameLength);
  const filename = decodeName(parameters, "filename", maxNameLength);
  if (name === undefined) throw malformedForm("a part must have a name");
  for (const text of [name, filename ?? ""]) {
    if (text.length > maxNameLength) throw nameTooLong(maxNameLength);
  }
  return { name, filename };
}

/**
 * Parses parameters into their values by lower-case name, still escaped: to unescape those that are not used would let
 * a client choose what a header costs.
 */
function parseParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  let rest = text;
  while (rest !== "") {
    const [match, key, token] = parameterStart.exec(rest) ?? [];
    if (match === undefined) throw malformedForm("a Content-Disposition has a malformed parameter");
    rest = rest.slice(match.length);
    if (key === undefined) continue;

    const name = key.toLowerCase();
    // Two readers could use different ones: a known way past filters.
    if (parameters.has(name)) throw malformedForm("a Content-Disposition repeats a parameter");
    if (parameters.size === maxParameters) {
      throw formTooLarge("The Content-Disposition of a part", maxParameters, "parameters");
    }
    if (token !== undefined) {
      parameters.set(name, token);
      continue;
    }
    const end = findClosingQuote(rest);
    parameters.set(name, rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return parameters;
}

/** Returns the index of the first quote without a backslash before it. */
function findClosingQuote(text: string): number {
  let position = 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === quote) return position;
    position += code === backslash ? 2 : 1;
  }
  throw malformedForm("a Content-Disposition has a quote that is not closed");
}

/** Decodes the extended form of a parameter (RFC 8187), or the plain one. */
function decodeName(
  parameters: ReadonlyMap<string, string>,
  key: string,
  maxLength: number,
): string | undefined {
  const extended = parameters.get(`${key}*`);
  const value = extended ?? parameters.get(key);
  if (value === undefined) return undefined;
  // Before it is decoded: a character of the name takes at most 9 here (`%E2%82%AC`), or 3 (`%22`), and an extended
  // value begins with its charset and language.
  const mostEscaped = extended === undefined ? 3 * maxLength : 9 * maxLength + 64;
  if (value.length > mostEscaped) throw nameTooLong(maxLength);
  return extended === undefined ? unescapeName(value) : decodeExtendedValue(unescapeQuoted(value));
}

function nameTooLong(maxLength: number): HttpError {
  return formTooLarge("The name and the filename of a part", maxLength, "characters");
}

/** Removes the backslash before a quote or a backslash. */
function unescapeQuoted(text: string): string {
  return text.includes("\\") ? text.replace(/\\(["\\])/g, "$1") : text;
}
