import { HttpError } from "./http-error.ts";
import { parsePairs } from "./query.ts";

/**
 * The fields of a form: an object without prototype, so that any field name is safe, even `__proto__`.
 * A repeated field is a list, in the order of the form.
 */
export type Form = Record<string, FormField | FormField[]>;

/** A text field, or an uploaded file with the name that the client sent. */
export type FormField = string | File;

/**
 * Parses an urlencoded body (WHATWG URL, section 5.1). Any string is valid: a pair without `=` is a field
 * with an empty value. Percent-escapes are UTF-8, regardless of the charset of the body.
 *
 * @throws {HttpError} 413 when there are more than `maxFields`
 */
export function parseForm(text: string, maxFields: number): Form {
  // Before they are decoded, which costs more.
  if (hasMorePairs(text, maxFields)) {
    throw new HttpError(413, `The form of the request body must have at most ${maxFields} fields.`);
  }
  return createForm(parsePairs(text, 0, text.length));
}

/** Returns whether an urlencoded text has more pairs than `most`; empty ones do not count. */
function hasMorePairs(text: string, most: number): boolean {
  let count = 0;
  let start = 0;
  while (start < text.length) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) count += 1;
    if (count > most) return true;
    start = end + 1;
  }
  return false;
}

/** Creates the form of its fields in order; a repeated name becomes a list. */
export function createForm(pairs: Iterable<[string, FormField]>): Form {
  const form: Form = Object.create(null);
  for (const [name, value] of pairs) {
    const present = form[name];
    if (present === undefined) form[name] = value;
    else if (Array.isArray(present)) present.push(value);
    else form[name] = [present, value];
  }
  return form;
}
