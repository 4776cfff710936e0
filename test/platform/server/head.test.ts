import { describe, expect, it } from "vitest";
import { exchange } from "../../support/raw-http.ts";
import { serveForSuite } from "../../support/serve-for-suite.ts";

const head = (path: string): string => `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const last = "GET /cancelled HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

describe.each(["node", "deno", "bun"] as const)("HEAD on %s", (runtime) => {
  const server = serveForSuite("test/application/support/head-server.ts", runtime);

  /** The head of the answer to HEAD; that of a GET behind it must follow at once, whole. */
  async function ask(path: string): Promise<{ status: number; head: string; cancelled: string }> {
    const answer = await exchange(Number(new URL(server.url).port), head(path) + last);
    const [first = "", second = "", body = ""] = answer.split("\r\n\r\n");
    expect(second).toMatch(/^HTTP\/1\.1 200 /);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    return { status, head: first.toLowerCase(), cancelled: body };
  }

  // RFC 9110, section 8.6: the length in a response to HEAD is that of GET, or omitted.
  it.each(["/text", "/stream", "/no-such-page"])(
    "does not set a length itself: %s",
    async (path) => {
      expect((await ask(path)).head).not.toContain("content-length");
    },
  );

  it.each(["/text", "/stream", "/measured", "/no-such-page"])(
    "has a date, once: %s",
    async (path) => {
      const dates = (await ask(path)).head.match(/^date: .*$/gm) ?? [];
      expect(dates).toEqual([
        expect.stringMatching(/^date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} gmt$/),
      ]);
    },
  );

  it("keeps the length that a handler gives", async () => {
    expect((await ask("/measured")).head).toContain("content-length: 6");
  });

  it.each([
    ["/nothing", 204],
    ["/unchanged", 304],
  ])("leaves an answer that has no body as it is: %s", async (path, wanted) => {
    const { status, head: text } = await ask(path);
    expect([status, text.includes("content-length")]).toEqual([wanted, false]);
    expect(text).not.toContain("transfer-encoding");
  });

  it("cancels the stream, which is not read", async () => {
    const before = Number((await ask("/text")).cancelled);
    expect(Number((await ask("/stream")).cancelled)).toBe(before + 1);
  });
});
