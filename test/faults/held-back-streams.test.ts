import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";

describe.each(["node", "deno", "bun"] as const)("compression on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/faults/support/held-back-server.ts", runtime);
  });
  afterAll(() => void server.child.kill("SIGKILL"));
  describeStreams(() => server.url);

  test.each(["gzip", "deflate"])("streams are compressed with %s", async (coding) => {
    const response = await request(server.url, "/long", coding);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(await response.text()).toBe(`first\n${"x".repeat(5_000)}last\n`);
  });
});

describe("compression on workerd", () => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    // The proxy of miniflare in front would compress, too.
    mf = await startWorkerd("test/faults/support/held-back-worker.ts", { hasOwnSocket: true });
    base = (await mf.unsafeGetDirectURL()).href;
  });
  afterAll(() => mf.dispose());
  describeStreams(() => base);

  test("a stream that pauses is not compressed", async () => {
    const response = await request(base, "/long");
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(`first\n${"x".repeat(5_000)}last\n`);
  });
});

function request(base: string, path: string, coding = "gzip"): Promise<Response> {
  return fetch(new URL(path, base), { headers: { "accept-encoding": coding } });
}

function describeStreams(base: () => string): void {
  test.each(["/short", "/long", "/own", "/events"])(
    "the first chunk of %s is not held back until the next",
    async (path) => {
      const response = await request(base(), path);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const startedAt = performance.now();
      let received = "";
      let firstAfterMs = 0;
      for (;;) {
        const item = await reader?.read();
        if (item === undefined || item.done) break;
        if (received === "") firstAfterMs = performance.now() - startedAt;
        received += item.value;
      }
      const lastAfterMs = performance.now() - startedAt;
      expect(received).toMatch(/first[\s\S]*last/);
      // The pause is one of 1,500 ms; the head comes with the first chunk or before.
      expect(lastAfterMs - firstAfterMs).toBeGreaterThan(700);
    },
  );

  test("events are never compressed", async () => {
    const response = await request(base(), "/events");
    expect(response.headers.get("content-encoding")).toBeNull();
    await response.body?.cancel();
  });

  test("a whole body is compressed and tagged, a small one is tagged", async () => {
    const whole = await request(base(), "/whole");
    expect(whole.headers.get("content-encoding")).toBe("gzip");
    expect(whole.headers.get("etag")).toMatch(/^W\/"/);
    expect(await whole.text()).toBe("x".repeat(5_000));
    const small = await request(base(), "/small");
    expect(small.headers.get("content-encoding")).toBeNull();
    expect(small.headers.get("etag")).toMatch(/^"/);
    expect(await small.text()).toBe("small");
  });
}
