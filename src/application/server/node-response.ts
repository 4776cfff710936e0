import { Buffer } from "node:buffer";
import { WholeResponse } from "../../platform/response/whole-response.ts";
import type { OutgoingMessage } from "./node-messages.ts";

/**
 * Sends a response through Node's own; what goes wrong meanwhile ends the connection, by which alone the client
 * can tell that it has not got all.
 *
 * @param method of the request: to HEAD no body is sent
 */
export function sendResponse(outgoing: OutgoingMessage, response: Response, method: string): void {
  try {
    if (!WholeResponse.is(response) || !sendWhole(outgoing, response, method)) {
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
  outgoing.writeHead(500, ["content-length", "0"]);
  outgoing.end();
}

/** Sends head and body at once; false when the body has been taken by somebody. */
function sendWhole(outgoing: OutgoingMessage, response: WholeResponse, method: string): boolean {
  const { content } = response;
  if (content === undefined) return false;
  const lines = response.headerLines;
  if (content === null) {
    outgoing.writeHead(response.status, lines);
    outgoing.end();
    return true;
  }
  const isText = typeof content === "string";
  const length = isText ? Buffer.byteLength(content) : content.byteLength;
  if (!lines.includes("content-length")) lines.push("content-length", String(length));
  outgoing.writeHead(response.status, lines);
  if (method === "HEAD") outgoing.end();
  else if (!isText) outgoing.end(content);
  // Text of ASCII alone is the same in both, and Node writes this one faster.
  else outgoing.end(content, length === content.length ? "latin1" : "utf8");
  return true;
}

function sendAny(outgoing: OutgoingMessage, response: Response, method: string): void {
  const lines: string[] = [];
  for (const [name, value] of response.headers) lines.push(name, value);
  const { body, status, statusText } = response;
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
