import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { contentDisposition } from "./content-disposition.ts";
import { createResponse } from "./create-response.ts";
import type { FieldError } from "./http-error.ts";
import { ValidationError } from "./http-error.ts";
import { type StreamSource, streamFromIterable } from "./iterable-stream.ts";
import { toJsonText } from "./json-text.ts";
import { locationHeader } from "./location.ts";
import { parseMediaType } from "./media-type.ts";
import { StoppableStream, withStoppableStream } from "./open-streams.ts";
import { type ProblemContext, problemFromError } from "./problem-details.ts";
import {
  eventKeepAlive,
  retryField,
  type ServerSentEvent,
  serverSentEventText,
} from "./server-sent-event.ts";
import type { BodyInit, HeadersInit } from "./web-types.ts";

export type { ServerSentEvent };

// Without `nosniff` a browser may guess another type from the bytes, and run what was meant as text. It
// stands in each: bundlers keep what is spread at the top of a module, used or not.
const jsonHeaders = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
} as const;
const textHeaders = {
  "content-type": "text/plain; charset=utf-8",
  "x-content-type-options": "nosniff",
} as const;
const htmlHeaders = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
} as const;
const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // A proxy that buffers would hold events back until its buffer is full.
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * `{ "success": true, "data": … }`; `undefined` data is left out. Given headers win over its own.
 *
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a promise, a BigInt or a cycle
 * @example return success({ id: 1 });
 */
export function success(data?: unknown, status = 200, headers?: HeadersInit): Response {
  const text = toJsonText({ success: true, data });
  return createResponse(text, { status, headers: withHeaders(jsonHeaders, headers) });
}

/**
 * The data as JSON, without an envelope; `undefined` is `null`. Given headers win over its own.
 *
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a promise, a BigInt or a cycle
 * @example return json([1, 2, 3], 200, { "cache-control": "max-age=60" });
 */
export function json(data: unknown, status = 200, headers?: HeadersInit): Response {
  const text = toJsonText(data);
  return createResponse(text, { status, headers: withHeaders(jsonHeaders, headers) });
}

/**
 * `{ "success": false, "message": …, "errors"?: … }`: an answer that the application chose, where a
 * thrown `HttpError` gives Problem Details.
 *
 * @example return error("The book is on loan.", 409);
 */
export function error(message: string, status = 400, errors?: readonly FieldError[]): Response {
  const text = toJsonText({ success: false, message, errors });
  return createResponse(text, { status, headers: jsonHeaders });
}

/**
 * The 422 Problem Details of a failed validation.
 *
 * @example return validationError([{ field: "title", message: "title is taken" }]);
 */
export function validationError(
  errors: readonly FieldError[],
  context: ProblemContext = {},
): Response {
  return problemFromError(new ValidationError(errors), context);
}

/**
 * Plain text in UTF-8. Given headers win over its own.
 *
 * @example return text("id,title", 200, { "content-type": "text/csv" });
 */
export function text(content: string, status = 200, headers?: HeadersInit): Response {
  return createResponse(content, { status, headers: withHeaders(textHeaders, headers) });
}

/**
 * An HTML page in UTF-8. The content is sent as it is: escape what users wrote. Given headers win over its
 * own.
 *
 * @example return html("<!doctype html><title>Bookshelf</title>");
 */
export function html(content: string, status = 200, headers?: HeadersInit): Response {
  return createResponse(content, { status, headers: withHeaders(htmlHeaders, headers) });
}

/**
 * A redirect without a body, 302 by default. A relative URL stays relative.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STATUS` for another status than 301, 302, 303, 307 and 308;
 *   `ERR_HTTP_BAD_LOCATION` for a URL that is not relative, http or https, or could mislead a browser
 * @example return redirect("/books/1", 303);
 */
export function redirect(url: string | URL, status = 302): Response {
  if (!redirectStatuses.has(status)) {
    throw new EspalierError(
      "ERR_HTTP_BAD_STATUS",
      `A redirect cannot have the status ${String(status)}; use 301, 302, 303, 307 or 308.`,
    );
  }
  return createResponse(null, { status, headers: { location: locationHeader(String(url)) } });
}

/**
 * 201 with the `success` envelope, and the URL of what was created when it is given.
 *
 * @example return created(book, `/books/${book.id}`);
 */
export function created(data?: unknown, location?: string | URL): Response {
  const headers =
    location === undefined
      ? jsonHeaders
      : { ...jsonHeaders, location: locationHeader(String(location)) };
  const text = toJsonText({ success: true, data });
  return createResponse(text, { status: 201, headers });
}

/**
 * 204 without a body.
 *
 * @example return noContent();
 */
export function noContent(): Response {
  return createResponse(null, { status: 204, headers: {} });
}

/** Options of `stream`. */
export interface StreamOptions {
  /** Content type; default `application/octet-stream`. */
  readonly type?: string;
  /** Default 200. */
  readonly status?: number;
}

/**
 * A body that is sent while it is produced: a byte stream, or an iterable of strings (UTF-8) and bytes,
 * which is closed when the client leaves. Nothing is taken from it before the client is ready for it.
 *
 * A function that makes the iterable gets a signal for what it awaits. It is aborted when the client leaves, and
 * when the application stops: what does not end then is cut off at the deadline of `stop()`.
 *
 * @example return stream(exportRows(), { type: "text/csv; charset=utf-8" });
 */
export function stream(
  source:
    | ReadableStream<Uint8Array>
    | AsyncIterable<string | Uint8Array>
    | ((signal: AbortSignal) => AsyncIterable<string | Uint8Array>),
  { type = "application/octet-stream", status = 200 }: StreamOptions = {},
): Response {
  const stoppable = new StoppableStream();
  const options = { encode: encodeChunk, stoppable, endsAnywhere: false };
  const body = source instanceof ReadableStream ? source : streamFromIterable(source, options);
  const headers = { "content-type": checkedType(type), "x-content-type-options": "nosniff" };
  return withStoppableStream(createResponse(body, { status, headers }), stoppable);
}

/** Options of `sse`. */
export interface SseOptions {
  /** How long a client waits before it reconnects, in milliseconds; its own default when absent. */
  readonly retryMs?: number;
  /**
   * After how long without an event a comment is sent, in milliseconds, so that nobody on the way takes
   * the connection for dead; default 8,000, below the ten seconds that Bun waits. 0 sends none.
   */
  readonly keepAliveMs?: number;
}

/**
 * Server-sent events from an iterable of events, or of strings that are their data. The iterable is
 * closed when the client leaves.
 *
 * A function that makes the iterable gets a signal, aborted when the client leaves and when the application
 * stops: what a generator awaits should observe it, or the generator is closed only when that is over. An
 * iterable without a signal is closed at once when the application stops.
 *
 * A broken event ends the stream with an error; see `ServerSentEvent`.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_EVENT` for a `retryMs` or `keepAliveMs` that is no number of
 *   milliseconds
 * @example return sse((signal) => pricesUntil(signal), { retryMs: 2_000 });
 */
export function sse(
  events: StreamSource<ServerSentEvent | string>,
  { retryMs, keepAliveMs = 8_000 }: SseOptions = {},
): Response {
  const keepAlive = eventKeepAlive(keepAliveMs);
  const encoder = new TextEncoder();
  let preamble = retryMs === undefined ? "" : `${retryField(retryMs)}\n`;
  const encode = (event: ServerSentEvent | string): Uint8Array<ArrayBuffer> => {
    const bytes = encoder.encode(preamble + serverSentEventText(event));
    preamble = "";
    return bytes;
  };
  const stoppable = new StoppableStream();
  const body = streamFromIterable(events, { encode, keepAlive, stoppable, endsAnywhere: true });
  const response = createResponse(body, { status: 200, headers: eventStreamHeaders });
  return withStoppableStream(response, stoppable);
}

/** Options of `file`. */
export interface FileOptions {
  /** The name to save it under; default: the name of a `File`, else none. */
  readonly name?: string;
  /** Content type; default: the type of a `Blob`, else `application/octet-stream`. */
  readonly type?: string;
  /** Shows the file in the browser and does not save it; default false. */
  readonly inline?: boolean;
}

/**
 * A download (RFC 6266), or a file to show with `inline: true`. The name may have any characters.
 *
 * @example return file(bytes, { name: "report.pdf", type: "application/pdf" });
 */
export function file(body: BodyInit, options: FileOptions = {}): Response {
  const blob = body instanceof Blob ? body : undefined;
  const name = options.name ?? (blob instanceof File ? blob.name : undefined);
  const type = options.type ?? (blob?.type || "application/octet-stream");
  const headers = {
    "content-type": checkedType(type),
    "content-disposition": contentDisposition(options.inline ?? false, name),
    "x-content-type-options": "nosniff",
  };
  return createResponse(body, { status: 200, headers });
}

function encodeChunk(chunk: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  // Of a number a Uint8Array would be so many zeros, and of an object nothing.
  if (!ArrayBuffer.isView(chunk)) {
    throw new EspalierError(
      "ERR_HTTP_BAD_STREAM",
      `A stream sends text and bytes, and got ${kindOf(chunk)}: ` +
        "JSON.stringify() makes text of data.",
    );
  }
  // A chunk over shared memory is copied: a stream may not send one.
  return chunk.buffer instanceof ArrayBuffer
    ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    : new Uint8Array(chunk);
}

/** A type that is none would be sent as it is by some servers, and end the response in others. */
function checkedType(type: string): string {
  if (parseMediaType(type) === undefined || /[^\x20-\x7e]/.test(type)) {
    throw new EspalierError(
      "ERR_HTTP_BAD_CONTENT_TYPE",
      `${JSON.stringify(type.slice(0, 200))} is not a content type; use one like "text/csv".`,
    );
  }
  return type;
}

/** What a helper sets by itself, under what its caller gave. */
function withHeaders(
  own: Readonly<Record<string, string>>,
  given: HeadersInit | undefined,
): Headers | Readonly<Record<string, string>> {
  if (given === undefined) return own;
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(own)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return headers;
}
