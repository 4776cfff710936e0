import type { ParsedBody } from "./body.ts";
import type { BodyLimits } from "./body-limits.ts";
import { HttpError } from "./http-error.ts";
import { hasMoreNames, readJsonStructure } from "./json-structure.ts";
import { bodyTooLarge } from "./read-bytes.ts";

/** Limits of JSON; exceeding one is a 413. */
export type JsonLimits = Pick<BodyLimits, "maxJsonDepth" | "maxJsonNames">;

/** Characters for each of which JSON may have one more name: usual JSON has fewer names than that. */
const charactersPerName = 256;

/** Minimum characters of a level of nesting, and of a name with its value. */
const levelLength = 2;
const memberLength = 4;

/**
 * Parses JSON text.
 *
 * @throws {HttpError} 400 when it is not JSON, 413 over a limit
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  const { maxJsonDepth, maxJsonNames } = limits;
  // A short text need not be searched.
  if (text.length > Math.min(maxJsonDepth * levelLength, maxJsonNames * memberLength)) {
    checkStructure(text, limits);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidJson(cause);
  }
}

function checkStructure(text: string, { maxJsonDepth, maxJsonNames }: JsonLimits): void {
  const { isTooDeep, names } = readJsonStructure(text, maxJsonDepth);
  if (isTooDeep) {
    throw new HttpError(
      413,
      `The JSON of the request body is nested deeper than ${maxJsonDepth} levels.`,
    );
  }
  const most = maxJsonNames + Math.floor(text.length / charactersPerName);
  if (names > most && hasMoreNames(text, names, most)) {
    throw new HttpError(
      413,
      `The JSON of the request body must have at most ${most} different member names.`,
    );
  }
}

export function invalidJson(cause?: unknown): HttpError {
  return new HttpError(400, "The request body is not valid JSON.", { cause });
}

/**
 * Parses a JSON body in UTF-8 that was read as text. In workerd, reading text takes two thirds of the time of reading
 * bytes and decoding them; `rawBody` encodes them again when it is accessed.
 *
 * @param length the body's `Content-Length`, which the server enforces
 * @throws {HttpError} 400 when the body is malformed, 413 over a limit
 */
export function parseJsonText(text: string, length: number, limits: BodyLimits): ParsedBody {
  // A request that no server has received can have a wrong length.
  if (text.length > limits.limitBytes) throw bodyTooLarge(limits.limitBytes);
  if (text === "" && length !== byteOrderMark.length) {
    return { body: undefined, rawBody: new Uint8Array(0), kind: "none" };
  }
  if (hasInvalidBytes(text, length)) throw invalidJson();
  return new JsonText(parseJson(withoutMark(text, length), limits), text, length);
}

/**
 * Returns whether bytes were not UTF-8: each run of them was decoded to U+FFFD. Only the first three bytes of
 * a character of four have the length of U+FFFD themselves, and read as if the client had sent it.
 */
function hasInvalidBytes(text: string, length: number): boolean {
  return text.includes("\ufffd") && new TextEncoder().encode(text).length !== length;
}

/** Drops the byte order mark, which `text()` keeps under the compatibility dates of older Workers. */
function withoutMark(text: string, length: number): string {
  const isKept = text.startsWith("\ufeff") && new TextEncoder().encode(text).length === length;
  return isKept ? text.slice(1) : text;
}

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** A JSON body that was read as text. */
class JsonText implements ParsedBody {
  readonly body: unknown;
  readonly kind = "json";
  readonly #text: string;
  readonly #length: number;
  #bytes: Uint8Array<ArrayBuffer> | undefined;

  /** Keeps the shape of the instances: see {@link RequestContext.internalSample}. */
  static readonly sample: object = /* @__PURE__ */ new JsonText(undefined, "", 0);

  constructor(body: unknown, text: string, length: number) {
    this.body = body;
    this.#text = text;
    this.#length = length;
  }

  get rawBody(): Uint8Array<ArrayBuffer> {
    this.#bytes ??= encodeBody(this.#text, this.#length);
    return this.#bytes;
  }
}

function encodeBody(text: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  // `text()` drops a byte order mark, but a signature includes it.
  if (length !== bytes.length + byteOrderMark.length) return bytes;
  return Uint8Array.of(...byteOrderMark, ...bytes);
}
