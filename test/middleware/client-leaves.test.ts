import { text } from "espalier";
import { CompressionMiddleware } from "espalier/middleware";
import { describe, expect, it, vi } from "vitest";
import { ETagMiddleware } from "../../src/middleware/etag.ts";
import { peekBody } from "../../src/middleware/peek-body.ts";
import { createApp } from "./support/app.ts";

/** An endless body that produces a chunk on request. */
function createSlowBody() {
  const cancel = vi.fn();
  let push: (chunk: string) => void = () => {};
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      push = (chunk) => controller.enqueue(new TextEncoder().encode(chunk));
    },
    cancel,
  });
  return { stream, cancel, push: (chunk: string) => push(chunk) };
}

// A body of unknown length is not buffered: see test/faults/held-back-streams.test.ts.
describe("a body of known length that ETagMiddleware buffers", () => {
  const create = (): ETagMiddleware => new ETagMiddleware();

  it("is cancelled when the client disconnects, and so is its source", async () => {
    const { app } = createApp([create()]);
    const { stream, cancel, push } = createSlowBody();
    const headers = { "content-type": "text/plain", "content-length": "100" };
    app.getRouter().get("/slow", () => new Response(stream, { headers }));
    const client = new AbortController();
    const answer = app.request("/slow", {
      headers: { "accept-encoding": "gzip" },
      signal: client.signal,
    });
    push("a");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cancel).not.toHaveBeenCalled();
    client.abort();
    const response = await answer;
    expect(cancel).toHaveBeenCalledOnce();
    // A cache or a log must not treat the truncated body as complete.
    expect(response.headers.has("etag")).toBe(false);
    await expect(response.text()).rejects.toThrow();
  });

  it("is cancelled on a socket, too, without a log line", async () => {
    const { app, lines } = createApp([create()]);
    const { stream, cancel, push } = createSlowBody();
    const headers = { "content-type": "text/plain", "content-length": "100" };
    app.getRouter().get("/slow", () => new Response(stream, { headers }));
    const error = vi.spyOn(console, "error");
    const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
    const client = new AbortController();
    const answer = fetch(`${url}slow`, { signal: client.signal }).catch(() => "left");
    push("a");
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.abort();
    expect(await answer).toBe("left");
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 10_000 });
    await app.stop();
    expect([lines, error.mock.calls]).toEqual([[], []]);
    error.mockRestore();
  });

  it.each([
    ["ETagMiddleware", new ETagMiddleware()],
    ["CompressionMiddleware", new CompressionMiddleware()],
  ])("is not begun to be read by %s when the client has left already", async (_name, reader) => {
    const { app } = createApp([reader]);
    const { stream, cancel } = createSlowBody();
    const client = new AbortController();
    app.getRouter().get("/left", () => {
      client.abort();
      return new Response(stream, { headers: { "content-type": "text/plain" } });
    });
    const { signal } = client;
    await app.request("/left", { headers: { "accept-encoding": "gzip" }, signal });
    expect(cancel).toHaveBeenCalledOnce();
  });
});

it("a completely read body leaves no listener", async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, "removeEventListener");
  const added = vi.spyOn(signal, "addEventListener");
  const { body } = text("whole");
  if (body === null) throw new Error("no body");
  expect(await peekBody(body, { limitBytes: 100, signal, mayPause: true })).toMatchObject({
    isWhole: true,
  });
  expect(removed.mock.calls.length).toBe(added.mock.calls.length);
});
