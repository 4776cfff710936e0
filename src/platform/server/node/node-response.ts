import { Buffer } from "node:buffer";
import { clearImmediate, setImmediate } from "node:timers";
import { reportBodyFailure } from "../../../http/body-failure.ts";
import { BufferedResponse } from "../../response/buffered-response.ts";
import { framed } from "./node-framing.ts";
import { abortResponse, isGone, isHttp2, withoutConnectionFields } from "./node-http2.ts";
import type { OutgoingMessage } from "./node-messages.ts";

/**
 * Sends a response through Node's own. Never throws: an error before the head is sent becomes a 500; a
 * later one destroys the connection, the only way to signal an incomplete response to the client.
 *
 * @param method of the request: the response to HEAD has no body
 */
export function sendResponse(outgoing: OutgoingMessage, response: Response, method: string): void {
  try {
    if (!BufferedResponse.is(response) || !sendBuffered(outgoing, response, method)) {
      sendAny(outgoing, response, method);
    }
  } catch (error) {
    reportBodyFailure(response, error);
    failResponse(outgoing);
  }
}

/** Responds with 500 if a response cannot be sent; destroys a connection whose head is sent. Never throws. */
export function failResponse(outgoing: OutgoingMessage): void {
  try {
    if (outgoing.headersSent) {
      abortResponse(outgoing);
      return;
    }
    // A failed response may have left some of its headers.
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    const lines = ["content-length", "0"];
    if (isHttp2(outgoing)) outgoing.writeHead(500, lines);
    // The status text may also be left over.
    else outgoing.writeHead(500, "Internal Server Error", [...lines, "connection", "close"]);
    outgoing.end();
  } catch {
    abortResponse(outgoing);
  }
}

/** Sends head and body in one write. Returns false if the body has been read. */
function sendBuffered(
  outgoing: OutgoingMessage,
  response: BufferedResponse,
  method: string,
): boolean {
  const { content } = response;
  if (content === undefined) return false;
  const { status } = response;
  const lines = sendableLines(outgoing, response.headerLines);
  if (content === null) {
    outgoing.writeHead(status, hasLengthOfOther(status, method) ? lines : framed(lines, "none"));
    outgoing.end();
    return true;
  }
  const isText = typeof content === "string";
  const length = isText ? Buffer.byteLength(content) : content.byteLength;
  outgoing.writeHead(status, framed(lines, length));
  if (method === "HEAD") outgoing.end();
  else if (!isText) outgoing.end(content);
  // ASCII is identical in both encodings, and Node writes latin1 faster.
  else outgoing.end(content, length === content.length ? "latin1" : "utf8");
  return true;
}

function sendAny(outgoing: OutgoingMessage, response: Response, method: string): void {
  // Before the head is sent, while a 500 is still possible.
  if (response.body?.locked === true) throw new TypeError("The body of the response is locked.");
  const all: string[] = [];
  for (const [name, value] of response.headers) all.push(name, value);
  const { body, status, statusText } = response;
  const given = sendableLines(outgoing, all);
  const lines = hasLengthOfOther(status, method)
    ? given
    : framed(given, body === null ? "none" : "streamed");
  // The length of a stream is only known while it is sent: Node counts the bytes, and throws on a mismatch.
  outgoing.strictContentLength = true;
  // Node adds standard status texts itself, and rejects some characters. HTTP/2 has no status text.
  if (statusText === "" || isHttp2(outgoing)) outgoing.writeHead(status, lines);
  else outgoing.writeHead(status, statusText.replace(/[^\t\x20-\x7e\x80-\xff]/g, ""), lines);
  if (body === null) {
    outgoing.end();
  } else if (method === "HEAD" || isGone(outgoing)) {
    body.cancel().catch(() => {});
    outgoing.end();
  } else {
    sendStream(outgoing, body).catch((error: unknown) => {
      // The connection is closed if the client has left or the server was stopped: not an error.
      if (!isGone(outgoing)) reportBodyFailure(response, error);
      abortResponse(outgoing);
    });
  }
}

/** Returns the header lines that this connection can send. */
function sendableLines(outgoing: OutgoingMessage, lines: string[]): string[] {
  return withoutCookies(outgoing, isHttp2(outgoing) ? withoutConnectionFields(lines) : lines);
}

/**
 * Sets multiple cookies one by one, and returns the remaining lines. Of duplicate names in a list, Node sends
 * only the last over HTTP/2 and, in Node 20, if headers were set before, as Express does.
 */
function withoutCookies(outgoing: OutgoingMessage, lines: string[]): string[] {
  if (lines.indexOf("set-cookie") === lines.lastIndexOf("set-cookie")) return lines;
  if (!isHttp2(outgoing) && outgoing.getHeaderNames().length === 0) return lines;
  const cookies: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [name = "", value = ""] = lines.slice(at, at + 2);
    if (name === "set-cookie") cookies.push(value);
    else others.push(name, value);
  }
  outgoing.setHeader("set-cookie", cookies);
  return others;
}

/** Returns `true` if Content-Length describes a body that is not sent (RFC 9110, 8.6). */
function hasLengthOfOther(status: number, method: string): boolean {
  return method === "HEAD" || status === 304;
}

/** Pipes a stream with backpressure, and cancels it when the client disconnects. */
async function sendStream(outgoing: OutgoingMessage, body: ReadableStream): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  outgoing.once("close", cancel);
  // Node would delay the head until the first chunk. An immediately available one is sent in the same packet.
  const flush = setImmediate(() => {
    if (!isGone(outgoing)) outgoing.flushHeaders();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      clearImmediate(flush);
      if (done || isGone(outgoing)) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    outgoing.off("close", cancel);
    outgoing.end();
  } catch (error) {
    cancel();
    throw error;
  } finally {
    clearImmediate(flush);
  }
}

/** Resolves when more data can be written, or when the connection is closed. */
function drained(outgoing: OutgoingMessage): Promise<void> {
  return new Promise((resolve) => {
    const proceed = (): void => {
      outgoing.off("drain", proceed);
      outgoing.off("close", proceed);
      resolve();
    };
    outgoing.once("drain", proceed);
    outgoing.once("close", proceed);
  });
}
