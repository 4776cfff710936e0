/** A parsed media type: `text/html;charset=utf-8` and the like. */
export interface MediaType {
  /** Type and subtype in lower case: `application/json`. */
  readonly essence: string;
  /** Parameters by lower-case name; the first value of a repeated name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The parser for a content type; `other` is not parsed. */
export type BodyKind = "json" | "urlencoded" | "multipart" | "other";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const quotedStringText = /^[\t\x20-\x7e\x80-\xff]*$/;
const leadingSpace = /^[\t\n\r ]+/;

/**
 * Parses a media type as browsers do (WHATWG MIME Sniffing, "parse a MIME type"); returns `undefined`
 * if it is invalid and never throws.
 *
 * The only parser of `Content-Type` in the framework: if a guard and the body parser interpreted it
 * differently, the guard could be bypassed.
 */
export function parseMediaType(text: string): MediaType | undefined {
  const end = indexOrEnd(text, ";", 0);
  const essence = trimEnd(text.slice(0, end).replace(leadingSpace, "")).toLowerCase();
  const slash = essence.indexOf("/");
  if (slash === -1) return undefined;
  if (!token.test(essence.slice(0, slash)) || !token.test(essence.slice(slash + 1))) {
    return undefined;
  }
  return { essence, parameters: parseParameters(text, end) };
}

/** Returns the parser for a content type; `other` if it is missing or malformed. */
export function bodyKind(contentType: string | null): BodyKind {
  if (contentType === null) return "other";
  const essence = parseMediaType(contentType)?.essence;
  if (essence === undefined) return "other";
  if (essence === "application/json" || essence.endsWith("+json")) return "json";
  if (essence === "application/x-www-form-urlencoded") return "urlencoded";
  return essence === "multipart/form-data" ? "multipart" : "other";
}

function parseParameters(text: string, start: number): Map<string, string> {
  const parameters = new Map<string, string>();
  let position = start;
  let equals = -1;
  while (position < text.length) {
    position += 1; // the ";"
    // Searched once, not per parameter: many parameters without `=` would take quadratic time.
    if (equals < position) equals = indexOrEnd(text, "=", position);
    const nameEnd = Math.min(indexOrEnd(text, ";", position), equals);
    const name = text.slice(position, nameEnd).replace(leadingSpace, "").toLowerCase();
    position = nameEnd;
    if (text[position] !== "=") continue;

    position += 1;
    let value: string;
    if (text[position] === '"') {
      const quoted = readQuotedString(text, position);
      value = quoted.value;
      position = indexOrEnd(text, ";", quoted.end);
    } else {
      const valueEnd = indexOrEnd(text, ";", position);
      value = trimEnd(text.slice(position, valueEnd));
      position = valueEnd;
      if (value === "") continue;
    }
    if (token.test(name) && quotedStringText.test(value) && !parameters.has(name)) {
      parameters.set(name, value);
    }
  }
  return parameters;
}

/** Reads a quoted string from its opening quote; an unclosed one extends to the end of the text. */
function readQuotedString(text: string, start: number): { value: string; end: number } {
  let value = "";
  let position = start + 1;
  while (position < text.length && text[position] !== '"') {
    if (text[position] === "\\" && position + 1 < text.length) position += 1;
    value += text[position];
    position += 1;
  }
  return { value, end: position };
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index === -1 ? text.length : index;
}

/** Trims trailing HTTP whitespace with a loop: `/\s+$/` takes quadratic time on spaces. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && "\t\n\r ".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
