import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Call } from "./case.ts";
import type { RawAnswer } from "./comparable.ts";

const timeoutMs = 5_000;

/** Sends a call over a socket unchanged, and returns the response. */
export function sendOverSocket(base: string, call: Call): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const { method = "GET", path, headers = {}, body } = call;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const lengths = bytes === undefined ? {} : { "content-length": String(bytes.length) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, headers: { ...lengths, ...headers }, timeout: timeoutMs },
      (response) => read(response).then(resolve, reject),
    );
    request.on("error", reject);
    request.on("timeout", () => request.destroy(new Error(`no response within ${timeoutMs} ms`)));
    request.end(bytes);
  });
}

async function read(response: IncomingMessage): Promise<RawAnswer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const { rawHeaders } = response;
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  }
  return { status: response.statusCode ?? 0, headers, bytes: new Uint8Array(Buffer.concat(parts)) };
}
