import type { HttpError } from "../http-error.ts";
import { malformedForm } from "./failures.ts";

/** `charset'language'text`, the text percent-encoded. */
const extendedValue = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is;
const malformedEscape = /%(?![\da-f]{2})/i;

/**
 * Decodes an extended parameter value (RFC 8187, section 3.2): `UTF-8''na%C3%AFve.txt`. ISO-8859-1 is accepted as
 * well, which RFC 5987 asked of recipients.
 *
 * @throws {HttpError} 400 when it is malformed, of another charset, or not valid UTF-8
 */
export function decodeExtendedValue(value: string): string {
  const [, charset, text] = extendedValue.exec(value) ?? [];
  if (charset === undefined || text === undefined) throw badExtendedValue();
  if (charset.toLowerCase() === "iso-8859-1") {
    if (malformedEscape.test(text)) throw badExtendedValue();
    // `unescape` maps each %XX to U+00XX, as ISO-8859-1 does. Its other form, %uXXXX, was refused above.
    return unescape(text);
  }
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw badExtendedValue(cause);
  }
}

function badExtendedValue(cause?: unknown): HttpError {
  return malformedForm("an extended parameter of a part is invalid (RFC 8187)", cause);
}
