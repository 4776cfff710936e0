import type { OutgoingMessage } from "./node-messages.ts";

/** Connection-specific headers, which HTTP/2 forbids (RFC 9113, 8.2.2) and Node rejects in a response. */
const connectionFields: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Returns `true` if a response is sent over HTTP/2, where Node's response has a stream. */
export function isHttp2(outgoing: OutgoingMessage): boolean {
  return outgoing.stream !== undefined;
}

/** Error code of a stream that the server breaks off (RFC 9113, 7). */
const internalError = 2;

/** Returns `true` if no more can be sent: the client has left, or the connection was closed. */
export function isGone({ stream, destroyed }: OutgoingMessage): boolean {
  return stream === undefined ? destroyed : stream.destroyed;
}

/**
 * Breaks off a response after what was written has been sent, so that the client recognises it as incomplete.
 *
 * `destroy()` would discard what was written in the same turn of the event loop, such as the events before an
 * error; over HTTP/2 it would end the stream as if the response were complete.
 */
export function abortResponse(outgoing: OutgoingMessage): void {
  const { stream, socket } = outgoing;
  if (stream !== undefined) stream.close(internalError);
  // Without a socket the response waits for an earlier one on its connection.
  else if (socket === undefined || socket === null) outgoing.destroy();
  else socket.destroySoon();
}

/**
 * Removes connection-specific headers.
 *
 * @param lines lower-case names and values, alternating
 */
export function withoutConnectionFields(lines: string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [name = "", value = ""] = lines.slice(at, at + 2);
    if (!connectionFields.has(name)) kept.push(name, value);
  }
  return kept;
}
