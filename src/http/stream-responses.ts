import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { checkContentType } from "./check-content-type.ts";
import { createResponse } from "./create-response.ts";
import { chunksOf, type StreamSource, streamFromIterable } from "./iterable-stream.ts";
import { StoppableStream, withStoppableStream } from "./open-streams.ts";
import {
  eventKeepAlive,
  retryField,
  type ServerSentEvent,
  serverSentEventText,
} from "./server-sent-event.ts";

const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // A proxy that buffers would hold events back until its buffer is full.
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** Options of `stream`. */
export interface StreamOptions {
  /** Content type; default `application/octet-stream`. */
  readonly type?: string;
  /** Status of the response; default 200. */
  readonly status?: number;
}

/**
 * Returns a streaming response from a byte stream, or an iterable of strings (UTF-8) and bytes, which is
 * closed when the client disconnects. Backpressure applies: data is pulled only when the client is ready.
 *
 * A function that returns the iterable receives a signal, aborted when the client disconnects and when the
 * application stops. A stream that does not end then is cut off at the deadline of `stop()`.
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
  const iterable = source instanceof ReadableStream ? chunksOf(source) : source;
  const body = streamFromIterable(iterable, options);
  const headers = { "content-type": checkContentType(type), "x-content-type-options": "nosniff" };
  return withStoppableStream(createResponse(body, { status, headers }), stoppable);
}

/** Options of `sse`. */
export interface SseOptions {
  /** Reconnection delay of the client in milliseconds; by default the client decides. */
  readonly retryMs?: number;
  /**
   * Idle time in milliseconds after which a comment is sent, so that no proxy or server closes the
   * connection as idle; default 8,000, below Bun's timeout of ten seconds. 0 disables it.
   */
  readonly keepAliveMs?: number;
}

/**
 * Returns server-sent events from an iterable of events, or of strings as their data. The iterable is
 * closed when the client disconnects.
 *
 * A function that returns the iterable receives a signal, aborted when the client disconnects and when the
 * application stops. Work that a generator awaits should observe it, or the generator is closed only after
 * that work. An iterable without a signal is closed at once when the application stops.
 *
 * An invalid event ends the stream with an error; see `ServerSentEvent`.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_EVENT` for a `retryMs` or `keepAliveMs` that is not a valid number
 *   of milliseconds
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

function encodeChunk(chunk: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  // new Uint8Array() would turn a number into as many zeros, and an object into nothing.
  if (!ArrayBuffer.isView(chunk)) {
    throw new EspalierError(
      "ERR_HTTP_BAD_STREAM",
      `A chunk of a stream must be a string or bytes, got ${kindOf(chunk)}. ` +
        "Convert data with JSON.stringify().",
    );
  }
  // A chunk over shared memory is copied, because streams do not accept it.
  return chunk.buffer instanceof ArrayBuffer
    ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    : new Uint8Array(chunk);
}
