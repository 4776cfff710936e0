import { describe, expect, test } from "vitest";
import type { ServerSentEvent } from "../../src/http/server-sent-event.ts";
import { serverSentEventText } from "../../src/http/server-sent-event.ts";
import { sse } from "../../src/http/stream-responses.ts";

describe("sse", () => {
  test("is an event stream that proxies do not buffer", async () => {
    const response = sse(["a"]);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toBe("data: a\n\n");
  });

  test("retryMs comes first, as a separate block", async () => {
    expect(await sse(["a", "b"], { retryMs: 2000 }).text()).toBe(
      "retry: 2000\n\ndata: a\n\ndata: b\n\n",
    );
  });

  test("starts nothing before it is read, and closes the iterable when the client disconnects", async () => {
    const log: string[] = [];
    async function* ticks(): AsyncGenerator<ServerSentEvent> {
      log.push("open");
      try {
        for (let tick = 0; ; tick += 1) yield { id: String(tick), data: { tick } };
      } finally {
        log.push("closed");
      }
    }
    const response = sse(ticks());
    expect(log).toEqual([]);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('id: 0\ndata: {"tick":0}\n\n');
    await reader?.cancel();
    expect(log).toEqual(["open", "closed"]);
  });

  test("an invalid event ends the stream with an error and closes the iterable", async () => {
    let closed = false;
    function* events(): Generator<ServerSentEvent> {
      try {
        yield { event: "a\ndata: forged", data: 1 };
      } finally {
        closed = true;
      }
    }
    await expect(sse(events()).text()).rejects.toMatchObject({ code: "ERR_HTTP_BAD_EVENT" });
    expect(closed).toBe(true);
  });
});

describe("the wire format", () => {
  test("writes all fields, the data last", () => {
    expect(
      serverSentEventText({ data: "x", id: "7", event: "tick", retryMs: 10, comment: "hello" }),
    ).toBe(": hello\nevent: tick\nid: 7\nretry: 10\ndata: x\n\n");
  });

  test.each(["\n", "\r", "\r\n"])("data and comments are split at %j", (lineBreak) => {
    const text = `a${lineBreak}event: forged${lineBreak}`;
    expect(serverSentEventText({ data: text })).toBe("data: a\ndata: event: forged\ndata: \n\n");
    expect(serverSentEventText({ comment: text })).toBe(": a\n: event: forged\n: \n\n");
  });

  test("keeps leading spaces and empty data", () => {
    expect(serverSentEventText("  x")).toBe("data:   x\n\n");
    expect(serverSentEventText("")).toBe("data: \n\n");
    expect(serverSentEventText({ data: null })).toBe("data: null\n\n");
    expect(serverSentEventText({ event: "ping" })).toBe("event: ping\n\n");
  });

  test.each([
    { event: "a\nb" },
    { event: "a\rb" },
    { id: "a\nb" },
    { id: "a\rb" },
    { id: "a\0b" },
    { retryMs: -1 },
    { retryMs: 1.5 },
    { retryMs: Number.NaN },
  ])("refuses %j", (event) => {
    expect(() => serverSentEventText(event)).toThrow(
      expect.objectContaining({ code: "ERR_HTTP_BAD_EVENT" }),
    );
  });

  test.each([
    [undefined, "it must be an object or a string, got undefined"],
    [null, "it must be an object or a string, got null"],
    [7, "it must be an object or a string, got a number"],
    [{ id: 7, data: "x" }, "its id must be a string, got a number"],
    [{ id: null, data: "x" }, "its id must be a string, got null"],
    [{ event: 7, data: "x" }, "its event must be a string, got a number"],
    [{ comment: ["x"] }, "its comment must be a string, got an array"],
  ])("refuses %j, whose type is wrong", (event, problem) => {
    expect(() => serverSentEventText(event as never)).toThrow(
      expect.objectContaining({
        code: "ERR_HTTP_BAD_EVENT",
        message: expect.stringContaining(problem),
      }),
    );
  });

  test("rejects an invalid retryMs before the response starts", () => {
    expect(() => sse([], { retryMs: -1 })).toThrow(
      expect.objectContaining({ code: "ERR_HTTP_BAD_EVENT" }),
    );
  });
});

describe("without events", () => {
  const decode = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);

  test("a comment is sent periodically, but not while the client does not read", async () => {
    let release = (): void => {};
    async function* slow(): AsyncGenerator<string> {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield "done";
    }
    const reader = sse(slow(), { keepAliveMs: 5 }).body?.getReader();
    expect(decode((await reader?.read())?.value)).toBe(":\n\n");
    expect(decode((await reader?.read())?.value)).toBe(":\n\n");
    await new Promise((resolve) => setTimeout(resolve, 60));
    release();
    await new Promise((resolve) => setTimeout(resolve, 5));
    let rest = "";
    for (let item = await reader?.read(); item?.done === false; item = await reader?.read()) {
      rest += decode(item.value);
    }
    expect(rest).toMatch(/^(:\n\n)?data: done\n\n$/);
  });

  test("0 sends none", async () => {
    async function* slow(): AsyncGenerator<string> {
      await new Promise((resolve) => setTimeout(resolve, 30));
      yield "done";
    }
    expect(await sse(slow(), { keepAliveMs: 0 }).text()).toBe("data: done\n\n");
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 31])("keepAliveMs %s is refused", (keepAliveMs) => {
    expect(() => sse([], { keepAliveMs })).toThrow("use whole milliseconds, 0 sends none");
  });

  test("a disconnect aborts the pending wait", async () => {
    const log: string[] = [];
    async function* waiting(signal: AbortSignal): AsyncGenerator<string> {
      try {
        yield "first";
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
        });
      } finally {
        log.push(`closed ${signal.aborted}`);
      }
    }
    const reader = sse(waiting).body?.getReader();
    await reader?.read();
    const second = reader?.read();
    await reader?.cancel();
    await second;
    expect(log).toEqual(["closed true"]);
  });
});
