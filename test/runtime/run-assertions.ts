import { test } from "vitest";
import { type Answer, assertions, type Call, type Send } from "./assertions.ts";

/** Registers every assertion as a test against the address that `base` gives. */
export function runAssertions(base: () => string): void {
  const send: Send = (path, call) => sendByFetch(base(), path, call);
  for (const { title, run } of assertions) test(title, () => run(send));
}

async function sendByFetch(base: string, path: string, call: Call = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, bodyBytes } = call;
  const init: RequestInit & { duplex?: "half" } = { method, headers, redirect: "manual" };
  if (body !== undefined) init.body = body;
  if (bodyBytes !== undefined) {
    init.body = zeros(bodyBytes);
    init.duplex = "half";
  }
  // Joined as text: the URL parser would tidy up paths that are to be sent as they are.
  const response = await fetch(`${base.replace(/\/$/, "")}${path}`, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    setCookie: response.headers.getSetCookie(),
    body: await response.text(),
  };
}

function zeros(size: number): ReadableStream<Uint8Array> {
  let left = size;
  return new ReadableStream({
    pull(controller) {
      const part = Math.min(left, 10_000);
      left -= part;
      if (part === 0) controller.close();
      else controller.enqueue(new Uint8Array(part));
    },
  });
}
