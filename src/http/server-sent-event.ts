import { EspalierError } from "../errors.ts";
import type { KeepAlive } from "./iterable-stream.ts";
import { toJsonText } from "./json-text.ts";

/** One event of a `text/event-stream` (HTML standard, section 9.2). */
export interface ServerSentEvent {
  /** What the client gets: a string as it is, anything else as JSON; none makes a bare comment. */
  readonly data?: unknown;
  /** The event's name; the client's default is `message`. */
  readonly event?: string;
  /** Sent back by a reconnecting client as `Last-Event-ID`. */
  readonly id?: string;
  /** How long the client waits before it reconnects, in milliseconds. */
  readonly retryMs?: number;
  /** A line the client ignores; a comment alone keeps a connection alive. */
  readonly comment?: string;
}

const lineBreak = /\r\n|\r|\n/;

/**
 * Writes one event in the wire format, the blank line at its end included.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_EVENT` when `event` or `id` has a line break, `id` a NUL, or
 *   `retryMs` is not a whole number: it would begin a field of its own, or be ignored in silence
 */
export function serverSentEventText(item: ServerSentEvent | string): string {
  const event = typeof item === "string" ? { data: item } : item;
  let text = "";
  if (event.comment !== undefined) text += prefixedLines("", event.comment);
  if (event.event !== undefined) text += `event: ${singleLine("event", event.event)}\n`;
  if (event.id !== undefined) text += `id: ${singleLine("id", event.id)}\n`;
  if (event.retryMs !== undefined) text += retryField(event.retryMs);
  if (event.data !== undefined) text += prefixedLines("data", dataText(event.data));
  return `${text}\n`;
}

/** The `retry` field: how long a client waits before it reconnects. */
export function retryField(retryMs: number): string {
  if (!Number.isSafeInteger(retryMs) || retryMs < 0) {
    throw badEvent(`retryMs is ${String(retryMs)}; use whole milliseconds, 0 or more`);
  }
  return `retry: ${retryMs}\n`;
}

/** The comment that is sent while there are no events; undefined when none shall be. */
export function eventKeepAlive(everyMs: number): KeepAlive | undefined {
  // A longer delay would make a timer fire at once.
  if (!Number.isSafeInteger(everyMs) || everyMs < 0 || everyMs >= 2 ** 31) {
    throw badEvent(`keepAliveMs is ${String(everyMs)}; use whole milliseconds, 0 sends none`);
  }
  return everyMs === 0 ? undefined : { everyMs, bytes: new TextEncoder().encode(":\n\n") };
}

function dataText(data: unknown): string {
  return typeof data === "string" ? data : toJsonText(data);
}

/** Every line of a value is a field of its own: the only way a value may have line breaks. */
function prefixedLines(field: string, value: string): string {
  return value
    .split(lineBreak)
    .map((line) => `${field}: ${line}\n`)
    .join("");
}

function singleLine(field: "event" | "id", value: string): string {
  if (lineBreak.test(value)) throw badEvent(`its ${field} has a line break`);
  if (field === "id" && value.includes("\0")) throw badEvent("its id has a NUL character");
  return value;
}

function badEvent(reason: string): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BAD_EVENT",
    `A server-sent event cannot be written: ${reason}. Only data and comments may have many lines.`,
  );
}
