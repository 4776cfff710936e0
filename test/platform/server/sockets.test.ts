import { describe, expect, test } from "vitest";
import { exchange } from "../../support/raw-http.ts";
import { serveForSuite } from "../../support/serve-for-suite.ts";

describe.each(["node", "deno", "bun"] as const)("listen() on %s", (runtime) => {
  const server = serveForSuite("test/application/support/socket-server.ts", runtime);

  const send = (request: string, timeoutMs = 5_000): Promise<string> =>
    exchange(Number(new URL(server.url).port), request, timeoutMs);
  const statusesOf = (answers: string): string[] =>
    Array.from(answers.matchAll(/HTTP\/1\.\d (\d{3})/g), ([, status = ""]) => status);

  const close = "Connection: close\r\n";
  const last = `GET / HTTP/1.1\r\nHost: a\r\n${close}\r\n`;
  const post = (headers: string, body: string): string =>
    `POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

  describe("an invalid Host header is rejected", () => {
    test.each([
      ["a/../b?", "/"],
      ["a/two", "/segments"],
      ["a/two/segments?", "/"],
      ["a?", "/"],
      ["a#b", "/"],
      ["a#b", "/two/segments"],
      ["user@a", "/"],
      ["user@a", "/two/segments"],
      ["a b", "/"],
      ["a\\b", "/"],
      ["", "/"],
      ["", "/two/segments"],
      ["a:99999", "/"],
      ["256.1.1.1", "/two/segments"],
      ["a\r\nHost: b", "/"],
      ["a\r\nHost: b", "/two/segments"],
    ])("%j for %s", async (host, path) => {
      const answer = await send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`);
      expect(statusesOf(answer)).toEqual(["400"]);
      expect(answer).not.toContain("segment");
    });

    test.each(["a", "localhost", "my_service:8080", "[::1]:80", "xn--bcher-kva.example"])(
      "but %s is one",
      async (host) => {
        const head = `HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`;
        expect(await send(`GET / ${head}`)).toContain("one segment for 127.0.0.1");
        expect(await send(`GET /two/segments ${head}`)).toContain("two segments for 127.0.0.1");
      },
    );
  });

  describe("a body", () => {
    test("ends where its length says, and the next request begins there", async () => {
      const answers = await send(post("Content-Length: 7\r\n", '{"a":1}') + last);
      expect(statusesOf(answers)).toEqual(["200", "200"]);
      expect(answers).toContain('{"body":{"a":1}}');
    });

    test("that is shorter than it says is never taken for a whole one", async () => {
      const answers = await send(post("Content-Length: 17\r\n", '{"a":1}'), 500);
      expect(answers).not.toContain("HTTP/1.1 200");
    });

    test.each([
      ["its length", "Content-Length: 5000\r\n", "x".repeat(5_000)],
      ["what comes", "Transfer-Encoding: chunked\r\n", `1388\r\n${"x".repeat(5_000)}\r\n0\r\n\r\n`],
    ])("over the limit by %s is a 413", async (_by, header, body) => {
      expect(statusesOf(await send(post(header + close, body)))).toEqual(["413"]);
    });

    test.each([
      ["two lengths", "Content-Length: 7\r\nContent-Length: 8\r\n", '{"a":1} '],
      ["an invalid length", "Content-Length: +7\r\n", '{"a":1}'],
      [
        "a length beside chunks",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "0\r\n\r\n",
      ],
    ])("with %s is refused", async (_what, headers, body) => {
      expect(statusesOf(await send(post(headers + close, body)))).toEqual(["400"]);
    });
  });

  test.each(["/", "/none"])(
    "HEAD %s has no Content-Length unless the handler sets it",
    async (path) => {
      const answer = await send(`HEAD ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 (200|404)/);
      expect(answer.toLowerCase()).not.toContain("content-length: 0");
    },
  );

  test("a port in use is said to be, and other failures stay the system's", async () => {
    const { port } = new URL(server.url);
    const [inUse, elsewhere] = await (await fetch(new URL("/others", server.url))).json();
    expect(inUse).toEqual({
      code: "ERR_APPLICATION_PORT_IN_USE",
      message: expect.stringContaining(`Port ${port} of 127.0.0.1 is already in use.`),
      cause: "EADDRINUSE",
    });
    expect(elsewhere.code).not.toBe("ERR_APPLICATION_PORT_IN_USE");
    expect(elsewhere.message).not.toBe("");
  });
});
