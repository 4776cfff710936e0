import { malformedForm } from "./failures.ts";

/** `charset'language'text`, the text percent-encoded. */
const extendedValue = /^(utf-8|iso-8859-1)'[^']*'([^%]*(?:%[\da-f]{2}[^%]*)*)$/i;

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
    return text.replace(/%(..)/g, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw badExtendedValue(cause);
  }
}

function badExtendedValue(cause?: unknown): Error {
  return malformedForm("an extended parameter of a part is invalid (RFC 8187)", cause);
}
