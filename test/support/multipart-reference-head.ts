import { HttpError } from "../../src/http/http-error.ts";
import { parseMediaType } from "../../src/http/media-type.ts";

/** The head of a part as the reference reads it. */
export interface ReferenceHead {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string;
  /** Decoder of a text field's content. */
  readonly decoder: TextDecoder;
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const header = new RegExp(`^(${token}):[ \\t]*((?:[^\\r\\0]*[^\\r\\0 \\t])?)[ \\t]*$`);
const parameter = new RegExp(
  `^[ \\t]*;[; \\t]*(?:(${token})[ \\t]*=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?`,
  "s",
);
const extended = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is;
const singleHeaders = ["content-disposition", "content-type", "content-transfer-encoding"];

const malformed = (): HttpError => new HttpError(400);

/**
 * Parses the header lines of a part with strings and regular expressions, one rule of RFC 7578 after the other.
 *
 * @param text the decoded lines, joined with CRLF
 */
export function readHeadByReference(text: string): ReferenceHead {
  if (/^[ \t]/.test(text)) throw malformed();
  const headers = new Map<string, string>();
  for (const line of text.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n")) {
    const [, name, value] = header.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformed();
    const key = name.toLowerCase();
    if (headers.has(key) && singleHeaders.includes(key)) throw malformed();
    headers.set(key, value);
  }
  const encoding = headers.get("content-transfer-encoding") ?? "";
  if (!/^(7bit|8bit|binary|)$/i.test(encoding)) throw new HttpError(415);
  const [name, filename] = readNames(headers.get("content-disposition") ?? "");
  const contentType = headers.get("content-type") ?? "";
  if (contentType.length > 256) throw new HttpError(413);
  const type = contentType.replaceAll("\t", " ").toLowerCase() || "text/plain";
  const decoder = createDecoder(filename === undefined ? contentType : "");
  return { name, filename, type: /^[ -~]*$/.test(type) ? type : "", decoder };
}

function readNames(disposition: string): [name: string, filename: string | undefined] {
  const type = /^form-data[ \t]*(?=;|$)/i.exec(disposition)?.[0];
  if (type === undefined) throw malformed();
  const parameters = new Map<string, string>();
  let rest = disposition.slice(type.length);
  while (rest !== "") {
    const [match, key, bare, quoted] = parameter.exec(rest) ?? [];
    if (match === undefined) throw malformed();
    rest = rest.slice(match.length);
    if (key === undefined) continue;
    if (parameters.has(key.toLowerCase())) throw malformed();
    if (parameters.size === 16) throw new HttpError(413);
    parameters.set(key.toLowerCase(), bare ?? quoted ?? "");
  }
  const read = (key: string): string | undefined => {
    const encoded = parameters.get(`${key}*`);
    return encoded === undefined ? unescapeName(parameters.get(key)) : decodeExtended(encoded);
  };
  const name = read("name");
  const filename = read("filename");
  if (name === undefined) throw malformed();
  if (name.length > 1024 || (filename ?? "").length > 1024) throw new HttpError(413);
  return [name, filename];
}

function unescapeName(text: string | undefined): string | undefined {
  return text?.replaceAll(/\\(["\\])|%22|%0d|%0a/gi, (match, escaped?: string) => {
    if (escaped !== undefined) return escaped;
    return match === "%22" ? '"' : decodeURIComponent(match);
  });
}

function decodeExtended(value: string): string {
  const [, charset, text = ""] = extended.exec(value.replaceAll(/\\(["\\])/g, "$1")) ?? [];
  if (charset === undefined || /%(?![\da-f]{2})/i.test(text)) throw malformed();
  try {
    return charset.toLowerCase() === "utf-8" ? decodeURIComponent(text) : unescape(text);
  } catch {
    throw malformed();
  }
}

function createDecoder(contentType: string): TextDecoder {
  const charset = parseMediaType(contentType)?.parameters.get("charset") ?? "utf-8";
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    throw new HttpError(415);
  }
}
