import { isBodiless } from "./bodiless-method.ts";
import type { BodyLimits } from "./body-limits.ts";
import { createForm, parseForm } from "./form.ts";
import { HttpError } from "./http-error.ts";
import { invalidJson, parseJson, parseJsonText } from "./json-body.ts";
import { type BodyKind, bodyKind, parseMediaType } from "./media-type.ts";
import {
  bodyBrokenOff,
  bodyTooLarge,
  type CountBytes,
  hasLengthWithin,
  isByteSource,
  readBytes,
  readFramed,
} from "./read-bytes.ts";
import type { CompleteParts } from "./request-parts.ts";

/** The content of a request's body. */
export interface ParsedBody {
  /** The JSON value, or a form as an object without prototype; `undefined` for a request without a body. */
  readonly body: unknown;
  /** The bytes that were read; `undefined` when the body was not parsed and can still be read. */
  readonly rawBody: Uint8Array<ArrayBuffer> | undefined;
  readonly kind: "json" | "form" | "none";
}

/** Properties of the server that a body comes from. */
export interface BodySource {
  /** True if it enforces `Content-Length`. */
  readonly isFramed: boolean;
  /** True if it does, and reading text takes less time than reading bytes and decoding them: workerd. */
  readonly isTextFaster: boolean;
  /** Parts that the application has; none by default. */
  readonly parts?: Pick<CompleteParts, "multipart">;
}

const unknownSource: BodySource = { isFramed: false, isTextFaster: false };

const plainJson = "application/json";

/** Shared by all JSON bodies: a decoder that is not streaming keeps no state between calls. */
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/** Size up to which an urlencoded body may be invalid UTF-8. */
const maxInvalidFormBytes = 65_536;

const unread = { body: undefined, rawBody: undefined, kind: "none" } as const;

/** Returns whether the parser reads this request's body, judging by its content type only. */
export function isParsed({ headers }: Pick<Request, "headers">): boolean {
  return parsedTypeOf(headers) !== undefined;
}

/** Returns the content type of a body that the parser reads; undefined for any other body. */
export function parsedTypeOf(headers: Headers): string | undefined {
  const contentType = headers.get("content-type");
  return contentType === null || kindOf(contentType) === "other" ? undefined : contentType;
}

/** Returns the parser of a body; the content type that nearly every client sends need not be parsed. */
function kindOf(contentType: string | null): BodyKind {
  return contentType === plainJson ? "json" : bodyKind(contentType);
}

/**
 * Reads and parses a JSON, urlencoded or multipart body; a body of another content type is not read.
 *
 * Bytes are counted while they are read, regardless of `Content-Length`. Zero bytes count as a missing body.
 *
 * @param server properties of the server; by default nothing is known about it
 * @param count called with the number of bytes before they are kept; throws to stop the reading
 * @param contentType from {@link parsedTypeOf}, if it is known
 * @throws {HttpError} 400 when the body is malformed or breaks off, 413 over a limit, 415 for an unknown
 *   charset or any content encoding. None repeats what was sent. Some are thrown at once: a promise of its own would be
 *   a noticeable part of the time of a small request.
 */
export function readBody(
  request: Request,
  limits: BodyLimits,
  server: BodySource = unknownSource,
  count: CountBytes = () => {},
  contentType: string = parsedTypeOf(request.headers) ?? "",
): Promise<ParsedBody> {
  if (server.isTextFaster && contentType === plainJson) {
    // Accessed once: in workerd each access to a request property crosses into native code.
    const { headers } = request;
    const length = headers.get("content-length");
    if (hasLengthWithin(limits.limitBytes, length)) {
      refuseContentEncoding(headers.get("content-encoding"));
      count(Number(length));
      return request.text().then(
        (text) => parseJsonText(text, Number(length), limits),
        (cause: unknown) => {
          throw bodyBrokenOff(cause);
        },
      );
    }
  }
  return readAsBytes(request, limits, server, count, contentType);
}

async function readAsBytes(
  request: Request,
  limits: BodyLimits,
  server: BodySource,
  count: CountBytes,
  contentType: string,
): Promise<ParsedBody> {
  const { headers } = request;
  const kind = kindOf(contentType);
  if (kind === "other") return unread;
  const limitBytes = kind === "multipart" ? limits.multipartLimitBytes : limits.limitBytes;
  refuseContentEncoding(headers.get("content-encoding"));
  const multipart = server.parts?.multipart;
  if (kind === "multipart" && multipart?.read === undefined) throw multipartNotSupported();
  const decoder = createDecoder(contentType, kind === "json");
  const rawBody = await readRawBody(request, limitBytes, server.isFramed, count);
  if (rawBody === undefined) return unread;
  if (rawBody.length === 0) return { body: undefined, rawBody, kind: "none" };
  if (kind === "json") {
    const body = parseJson(decodeJson(rawBody, decoder), limits);
    return { body, rawBody, kind: "json" };
  }
  const body =
    multipart?.read !== undefined && kind === "multipart"
      ? createForm(await multipart.read(rawBody, contentType, limits.multipart))
      : parseForm(decodeForm(rawBody, decoder), limits.maxFields);
  return { body, rawBody, kind: "form" };
}

function multipartNotSupported(): HttpError {
  return new HttpError(415, "A multipart form is not supported as the request body.");
}

/** Returns the bytes of a body; undefined when the request has none. */
async function readRawBody(
  request: Request,
  limitBytes: number,
  isFramed: boolean,
  count: CountBytes,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (isByteSource(request)) return request.readBytes(limitBytes, count);
  const contentLength = request.headers.get("content-length");
  // Avoids the stream that accessing `body` creates: it costs more than the rest of a small request.
  if (isFramed && hasLengthWithin(limitBytes, contentLength)) {
    count(Number(contentLength));
    return readFramed(request, limitBytes);
  }
  const { body } = request;
  return body === null ? undefined : readBytes(body, limitBytes, contentLength, count);
}

/** A body that no parser reads: an error detected from its headers, and its byte limit. */
export interface UnparsedBody {
  readonly body: undefined;
  readonly rawBody: undefined;
  readonly kind: "none";
  readonly failure?: HttpError;
  /** Undefined if the server enforces it. */
  readonly readLimitBytes?: number;
}

/**
 * Limits a body of a content type that no parser reads: otherwise a client could choose a type to get past
 * the limit.
 *
 * @param isFramed whether the server enforces `Content-Length`
 */
export function limitUnparsedBody(
  request: Request,
  limitBytes: number,
  isFramed: boolean,
): UnparsedBody {
  const contentLength = request.headers.get("content-length");
  const isHeldToLength = isFramed || isByteSource(request);
  if (isHeldToLength && hasLengthWithin(limitBytes, contentLength)) return unread;
  const bounded = { ...unread, readLimitBytes: limitBytes };
  return Number(contentLength) > limitBytes
    ? { ...bounded, failure: bodyTooLarge(limitBytes) }
    : bounded;
}

/** Returns a request like the original whose body fails with 413 beyond a limit. */
export function limitRequestBody(original: Request, limitBytes: number): Request {
  if (original.body === null || original.bodyUsed) return original;
  return requestOver(original, limitStream(original.body, limitBytes));
}

/** Returns a stream of the same bytes that reads nothing before it is read: a guard may look at the request. */
function limitStream(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  limitBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  let length = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= source.getReader();
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        length += value.byteLength;
        if (length <= limitBytes) {
          controller.enqueue(value);
          return;
        }
        reader.cancel().catch(() => {});
        controller.error(bodyTooLarge(limitBytes));
      },
      cancel: (reason) => (reader ?? source).cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Returns a request like the original over bytes that were already read, so that its body can be read again.
 *
 * Created from the parts of the original: `new Request(original)` does not accept a server's own request
 * class, and its body is used up.
 */
export function rebuildRequest(original: Request, bytes: Uint8Array<ArrayBuffer>): Request {
  return requestOver(original, bytes);
}

function requestOver(original: Request, body: Uint8Array<ArrayBuffer> | ReadableStream): Request {
  const init: RequestInit & { duplex: "half" } = {
    method: original.method,
    headers: original.headers,
    signal: original.signal,
    body: isBodiless(original.method) ? null : body,
    // Required by Node for a stream.
    duplex: "half",
  };
  // Cloudflare's request properties; absent on other platforms.
  if ("cf" in original) Object.assign(init, { cf: original.cf });
  return new Request(original.url, init);
}

function refuseContentEncoding(contentEncoding: string | null): void {
  if (contentEncoding === null) return;
  const codings = contentEncoding.split(",").map((coding) => coding.trim().toLowerCase());
  if (codings.every((coding) => coding === "identity" || coding === "")) return;
  // RFC 9110 section 12.5.3: a 415 caused by the coding lists the accepted ones.
  throw new HttpError(415, "A request body with a content encoding is not supported.", {
    headers: { "accept-encoding": "identity" },
  });
}

/** Returns a decoder for the charset of the content type, by default UTF-8; it drops a byte order mark. */
function createDecoder(contentType: string, fatal: boolean): TextDecoder {
  if (contentType === plainJson) return utf8;
  const charset = parseMediaType(contentType)?.parameters.get("charset") ?? "utf-8";
  try {
    return new TextDecoder(charset, { fatal });
  } catch (cause) {
    throw new HttpError(415, "The charset of the request body is not supported.", { cause });
  }
}

/**
 * Decodes an urlencoded body. Clients percent-encode all but ASCII; of other bytes, up to 64 KiB of invalid UTF-8 are
 * replaced with U+FFFD, which costs platforms 8 to 47 times as much as valid text.
 */
function decodeForm(bytes: Uint8Array<ArrayBuffer>, decoder: TextDecoder): string {
  if (bytes.length <= maxInvalidFormBytes || decoder.encoding !== "utf-8") {
    return decoder.decode(bytes);
  }
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new HttpError(400, "The form of the request body is not UTF-8.", { cause });
  }
}

function decodeJson(bytes: Uint8Array<ArrayBuffer>, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw invalidJson(cause);
  }
}
