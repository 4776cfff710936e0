import { HttpError } from "./http-error.ts";
import { parseMediaType } from "./media-type.ts";
import { parsePairs } from "./query.ts";

/**
 * The fields of a form: an object without prototype, so that a field may have any name, `__proto__`
 * too. A repeated field is a list, in the order of the form.
 */
export type Form = Record<string, FormField | FormField[]>;

/** A text field, or an uploaded file with the name that the client gave it. */
export type FormField = string | File;

/**
 * Parses an urlencoded body (WHATWG URL, section 5.1). Any text is a form: what is not a pair is a field
 * with an empty value. Percent-escapes are UTF-8, whatever the charset of the text was.
 */
export function parseForm(text: string): Form {
  return formOf(parsePairs(text, 0, text.length));
}

/**
 * Parses a multipart body (RFC 7578) with the platform's own parser.
 *
 * @throws {HttpError} 400 when the boundary is missing or a part is malformed
 */
export async function parseMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Form> {
  // RFC 2046 section 5.1.1 allows 1 to 70 characters; platforms differ in what they make of others.
  const boundary = parseMediaType(contentType)?.parameters.get("boundary") ?? "";
  if (boundary === "" || boundary.length > 70) throw malformed();
  try {
    const headers = { "content-type": contentType };
    return formOf(await new Response(bytes, { headers }).formData());
  } catch (cause) {
    throw malformed(cause);
  }
}

function malformed(cause?: unknown): HttpError {
  return new HttpError(400, "The request body is not a valid multipart form.", { cause });
}

function formOf(pairs: Iterable<[string, FormField]>): Form {
  const form: Form = Object.create(null);
  for (const [name, value] of pairs) {
    const present = form[name];
    if (present === undefined) form[name] = value;
    else if (Array.isArray(present)) present.push(value);
    else form[name] = [present, value];
  }
  return form;
}
