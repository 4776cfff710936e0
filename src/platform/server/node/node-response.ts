import { Buffer } from "node:buffer";
import { BufferedResponse } from "../../response/buffered-response.ts";
import { framed } from "./node-framing.ts";
import type { OutgoingMessage } from "./node-messages.ts";

/**
 * Sends a response through Node's own; what goes wrong meanwhile ends the connection, by which alone the client
 * can tell that it has not got all.
 *
 * @param method of the request: to HEAD no body is sent
 */
export function sendResponse(outgoing: OutgoingMessage, response: Response, method: string): void {
  try {
    if (!BufferedResponse.is(response) || !sendWhole(outgoing, response, method)) {
      sendAny(outgoing, response, method);
    }
  } catch {
    failResponse(outgoing);
  }
}

/** Answers 500 in place of what cannot be sent, or breaks off when its head is on the way. */
export function failResponse(outgoing: OutgoingMessage): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  // What was refused may have left its traces: the connection, and the words of its status.
  outgoing.writeHead(500, "Internal Server Error", ["content-length", "0", "connection", "close"]);
  outgoing.end();
}

/** Sends head and body at once; false when the body has been taken by somebody. */
function sendWhole(outgoing: OutgoingMessage, response: BufferedResponse, method: string): boolean {
  const { content } = response;
  if (content === undefined) return false;
  const { status } = response;
  const lines = withoutCookies(outgoing, response.headerLines);
  if (content === null) {
    outgoing.writeHead(status, tellsOfOther(status, method) ? lines : framed(lines, "none"));
    outgoing.end();
    return true;
  }
  const isText = typeof content === "string";
  const length = isText ? Buffer.byteLength(content) : content.byteLength;
  outgoing.writeHead(status, framed(lines, length));
  if (method === "HEAD") outgoing.end();
  else if (!isText) outgoing.end(content);
  // Text of ASCII alone is the same in both, and Node writes this one faster.
  else outgoing.end(content, length === content.length ? "latin1" : "utf8");
  return true;
}

function sendAny(outgoing: OutgoingMessage, response: Response, method: string): void {
  const all: string[] = [];
  for (const [name, value] of response.headers) all.push(name, value);
  const { body, status, statusText } = response;
  const given = withoutCookies(outgoing, all);
  const lines = tellsOfOther(status, method)
    ? given
    : framed(given, body === null ? "none" : "streamed");
  // Only the stream itself can tell whether a length is right: Node counts, and throws.
  outgoing.strictContentLength = true;
  // Node knows the usual words itself, and refuses characters that a status text may have.
  if (statusText === "") outgoing.writeHead(status, lines);
  else outgoing.writeHead(status, statusText.replace(/[^\t\x20-\x7e\x80-\xff]/g, ""), lines);
  if (body === null) {
    outgoing.end();
  } else if (method === "HEAD" || outgoing.destroyed) {
    body.cancel().catch(() => {});
    outgoing.end();
  } else {
    sendStream(outgoing, body).catch(() => outgoing.destroy());
  }
}

/**
 * Sets cookies apart, and gives the lines that are left: where headers were set before, as Express does, Node 20
 * sends of equal names the last alone.
 */
function withoutCookies(outgoing: OutgoingMessage, lines: string[]): string[] {
  const isSafe = lines.indexOf("set-cookie") === lines.lastIndexOf("set-cookie");
  if (isSafe || outgoing.getHeaderNames().length === 0) return lines;
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

/** Whether the length is that of a body which is not sent (RFC 9110, 8.6), so that nobody waits for it. */
function tellsOfOther(status: number, method: string): boolean {
  return method === "HEAD" || status === 304;
}

/** Sends a stream as fast as the client takes it, and cancels it when the client leaves. */
async function sendStream(outgoing: OutgoingMessage, body: ReadableStream): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  outgoing.once("close", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    outgoing.off("close", cancel);
    outgoing.end();
  } catch (error) {
    cancel();
    throw error;
  }
}

/** Waits until more can be written, or nothing any more. */
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
