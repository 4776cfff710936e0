import { parseForm, parseMultipart } from "./form.ts";
import { HttpError } from "./http-error.ts";
import { bodyKind, parseMediaType } from "./media-type.ts";
import {
  bodyTooLarge,
  hasLengthWithin,
  isByteSource,
  readBytes,
  readFramed,
} from "./read-bytes.ts";

/** How many bytes a body may have. */
export interface BodyLimits {
  /** For JSON and urlencoded bodies. */
  readonly limitBytes: number;
  /** For multipart bodies, which carry files. */
  readonly multipartLimitBytes: number;
}

/** A body as it was read. */
export interface ParsedBody {
  /** The JSON value, or a form as an object without prototype; `undefined` when there is no body. */
  readonly body: unknown;
  /** The bytes that were read; `undefined` when the request was left alone and can still be read. */
  readonly rawBody: Uint8Array<ArrayBuffer> | undefined;
  readonly kind: "json" | "form" | "none";
}

/** It keeps no state between whole texts, so that all JSON can share it. */
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

const unread = { body: undefined, rawBody: undefined, kind: "none" } as const;

/** Whether a method has a body, for us; a GET pays nothing. */
export function mayHaveBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Whether a body parser would read a request's body: known from its content type, without touching the body. */
export function isParsed({ headers }: Pick<Request, "headers">): boolean {
  return bodyKind(headers.get("content-type")) !== "other";
}

/**
 * Reads and parses a JSON, urlencoded or multipart body; any other content type is left alone.
 *
 * Bytes are counted while they are read, whatever `Content-Length` says. Zero bytes are no body.
 *
 * @param isFramed whether a server has read the request and holds its body to `Content-Length`
 * @throws {HttpError} 400 when the body is malformed or breaks off, 413 when it is over the limit, 415
 *   for a charset that is unknown or any content encoding. None repeats what was sent.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  isFramed = false,
): Promise<ParsedBody> {
  const { headers } = request;
  const contentType = headers.get("content-type") ?? "";
  const kind = bodyKind(contentType);
  if (kind === "other") return unread;
  const limit = kind === "multipart" ? limits.multipartLimitBytes : limits.limitBytes;
  const contentLength = headers.get("content-length");
  // Looking at `body` makes a stream, which whoever reads faster does not need.
  const source = isByteSource(request)
    ? request
    : isFramed && hasLengthWithin(limit, contentLength)
      ? { readBytes: () => readFramed(request, limit) }
      : request.body;
  if (source === null) return unread;

  refuseContentEncoding(headers.get("content-encoding"));
  const decoder = createDecoder(contentType, kind === "json");
  const rawBody = await (source instanceof ReadableStream
    ? readBytes(source, limit, contentLength)
    : source.readBytes(limit));
  if (rawBody.length === 0) return { body: undefined, rawBody, kind: "none" };

  if (kind === "json") return { body: parseJson(rawBody, decoder), rawBody, kind: "json" };
  const body =
    kind === "multipart"
      ? await parseMultipart(rawBody, contentType)
      : parseForm(decoder.decode(rawBody));
  return { body, rawBody, kind: "form" };
}

/** A body that no parser reads: what is wrong with it, and how much a handler may read of it. */
export interface UnparsedBody {
  readonly body: undefined;
  readonly rawBody: undefined;
  readonly kind: "none";
  readonly failure?: HttpError;
  /** Undefined where the server has seen to it. */
  readonly readLimitBytes?: number;
}

/**
 * Leaves a body of another content type to the handler, within the same limit: otherwise a client could choose a
 * type to get past it.
 *
 * @param isFramed whether a server has read the request and holds its body to `Content-Length`
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

/** A request like the original whose body fails with 413 where it goes beyond a limit. */
export function limitRequestBody(original: Request, limitBytes: number): Request {
  if (original.body === null || original.bodyUsed) return original;
  let length = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > limitBytes) controller.error(bodyTooLarge(limitBytes));
      else controller.enqueue(chunk);
    },
  });
  return requestOver(original, original.body.pipeThrough(counter));
}

/**
 * A request like the original over bytes that were already read, so that its body can be read again.
 *
 * It is made from the parts of the original: a server's own request class is not one that
 * `new Request(original)` takes, and its body is used up.
 */
export function rebuildRequest(original: Request, bytes: Uint8Array<ArrayBuffer>): Request {
  return requestOver(original, bytes);
}

function requestOver(original: Request, body: Uint8Array<ArrayBuffer> | ReadableStream): Request {
  const init: RequestInit & { duplex: "half" } = {
    method: original.method,
    headers: original.headers,
    signal: original.signal,
    body,
    // Node asks for it where the body is a stream.
    duplex: "half",
  };
  // Cloudflare's facts about the request: absent elsewhere, and then nothing to pass on.
  if ("cf" in original) Object.assign(init, { cf: original.cf });
  return new Request(original.url, init);
}

function refuseContentEncoding(contentEncoding: string | null): void {
  if (contentEncoding === null) return;
  const codings = contentEncoding.split(",").map((coding) => coding.trim().toLowerCase());
  if (codings.every((coding) => coding === "identity" || coding === "")) return;
  // RFC 9110 section 12.5.3: a 415 about the coding names what would be accepted.
  throw new HttpError(415, "A request body with a content encoding is not supported.", {
    headers: { "accept-encoding": "identity" },
  });
}

/** A decoder for the charset of the content type, UTF-8 by default, that drops a byte order mark. */
function createDecoder(contentType: string, fatal: boolean): TextDecoder {
  if (contentType === "application/json") return utf8;
  const charset = parseMediaType(contentType)?.parameters.get("charset") ?? "utf-8";
  try {
    return new TextDecoder(charset, { fatal });
  } catch (cause) {
    throw new HttpError(415, "The charset of the request body is not supported.", { cause });
  }
}

function parseJson(bytes: Uint8Array<ArrayBuffer>, decoder: TextDecoder): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    // Bytes outside the charset, a syntax error, or a nesting too deep for the parser's stack.
    throw new HttpError(400, "The request body is not valid JSON.", { cause });
  }
}
