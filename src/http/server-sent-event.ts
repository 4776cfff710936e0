import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import type { KeepAlive } from "./iterable-stream.ts";
import { toJsonText } from "./json-text.ts";

/** One event of a `text/event-stream` (HTML standard, section 9.2). */
export interface ServerSentEvent {
  /** Data of the event: a string unchanged, any other value as JSON; omit it to send only a comment. */
  readonly data?: unknown;
  /** Name of the event; clients default to `message`. */
  readonly event?: string;
  /** Sent back by a reconnecting client as `Last-Event-ID`. */
  readonly id?: string;
  /** Reconnection delay of the client in milliseconds. */
  readonly retryMs?: number;
  /** Comment, ignored by the client; an event with only a comment keeps the connection alive. */
  readonly comment?: string;
}

const lineBreak = /\r\n|\r|\n/;

/**
 * Serialises one event in the wire format, including the blank line at its end.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_EVENT` when `event` or `id` has a line break, `id` a NUL, or
 *   `retryMs` is not a whole number: it would inject a field, or be silently ignored; and when the event, its
 *   `comment`, `event` or `id` has another type
 */
export function serverSentEventText(item: ServerSentEvent | string): string {
  const event = typeof item === "string" ? { data: item } : item;
  if (typeof event !== "object" || event === null || event instanceof Promise) {
    throw badEvent(`it must be an object or a string, got ${kindOf(event)}`);
  }
  let text = "";
  if (event.comment !== undefined) text += prefixedLines("", string("comment", event.comment));
  if (event.event !== undefined) text += `event: ${singleLine("event", event.event)}\n`;
  if (event.id !== undefined) text += `id: ${singleLine("id", event.id)}\n`;
  if (event.retryMs !== undefined) text += retryField(event.retryMs);
  if (event.data !== undefined) text += prefixedLines("data", dataText(event.data));
  return `${text}\n`;
}

/** Serialises the `retry` field, the client's reconnection delay. */
export function retryField(retryMs: number): string {
  if (!Number.isSafeInteger(retryMs) || retryMs < 0) {
    throw badEvent(`retryMs is ${String(retryMs)}; use whole milliseconds, 0 or more`);
  }
  return `retry: ${retryMs}\n`;
}

/** Returns the keep-alive comment of an idle event stream; undefined if `everyMs` is 0. */
export function eventKeepAlive(everyMs: number): KeepAlive | undefined {
  // A timer with a longer delay would fire immediately.
  if (!Number.isSafeInteger(everyMs) || everyMs < 0 || everyMs >= 2 ** 31) {
    throw badEvent(`keepAliveMs is ${String(everyMs)}; use whole milliseconds, 0 sends none`);
  }
  return everyMs === 0 ? undefined : { everyMs, bytes: new TextEncoder().encode(":\n\n") };
}

function dataText(data: unknown): string {
  return typeof data === "string" ? data : toJsonText(data);
}

/** Writes every line of a value as a separate field, which is how the format encodes line breaks. */
function prefixedLines(field: string, value: string): string {
  return value
    .split(lineBreak)
    .map((line) => `${field}: ${line}\n`)
    .join("");
}

function string(field: "comment" | "event" | "id", value: unknown): string {
  if (typeof value === "string") return value;
  throw badEvent(`its ${field} must be a string, got ${kindOf(value)}`);
}

function singleLine(field: "event" | "id", given: unknown): string {
  const value = string(field, given);
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
