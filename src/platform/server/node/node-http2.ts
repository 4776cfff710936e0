import type { OutgoingMessage } from "./node-messages.ts";

/** Fields about one connection, which HTTP/2 forbids (RFC 9113, 8.2.2). Node refuses a response that has one. */
const connectionFields: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Returns whether a response goes over HTTP/2, where Node's response has the stream that carries it. */
export function isHttp2(outgoing: OutgoingMessage): boolean {
  return outgoing.stream !== undefined;
}

/**
 * Returns header lines without those about the connection.
 *
 * @param lines lower-case names and their values in turn
 */
export function withoutConnectionFields(lines: string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [name = "", value = ""] = lines.slice(at, at + 2);
    if (!connectionFields.has(name)) kept.push(name, value);
  }
  return kept;
}
