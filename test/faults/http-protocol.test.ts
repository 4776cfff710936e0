import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { exchange } from "../support/raw-http.ts";
import { serveForSuite } from "../support/serve-for-suite.ts";

const chunked = "3\r\nabc\r\n0\r\n\r\n";
const handshake =
  "Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

describe.each(["node", "deno", "bun"] as const)("HTTP on %s", (runtime) => {
  const server = serveForSuite("test/faults/support/protocol-server.ts", runtime);
  const port = (): number => Number(new URL(server.url).port);
  const send = (request: string): Promise<string> => exchange(port(), request, 2_000);
  const statusesOf = (wire: string): number[] =>
    [...wire.matchAll(/HTTP\/1\.\d (\d{3})/g)].map(([, status]) => Number(status));

  test("HTTP/2.0 in the request line is refused", async () => {
    const response = await send("GET /admin HTTP/2.0\r\nHost: a\r\nHost: b\r\n\r\n");
    expect(statusesOf(response)).toEqual([runtime === "deno" ? 400 : 505]);
  });

  test.each(["GET /admin\r\n\r\n", "GET /admin HTTP/0.9\r\n\r\n"])(
    "HTTP/0.9 is refused: %j",
    async (request) => {
      const response = await send(request);
      expect(statusesOf(response)).toEqual([runtime === "bun" ? 505 : 400]);
      expect(response).not.toMatch(/\r\n\r\nadmin$/);
    },
  );

  test("HTTP/1.0 with Transfer-Encoding is the last request of its connection", async () => {
    const wire = await send(
      "POST /body HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nContent-Type: text/plain\r\n" +
        `Transfer-Encoding: chunked\r\n\r\n${chunked}GET /admin HTTP/1.0\r\nHost: a\r\n\r\n`,
    );
    // Deno and Bun refuse it.
    expect(statusesOf(wire)).toEqual([runtime === "node" ? 200 : 400]);
  });

  test("a transfer coding that is not supported is refused", async () => {
    const wire = await send(
      `POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${chunked}` +
        "GET /admin HTTP/1.1\r\nHost: a\r\n\r\n",
    );
    expect(statusesOf(wire)[0]).toBe(runtime === "bun" ? 400 : 501);
    if (runtime === "node") expect(statusesOf(wire)).toHaveLength(1);
  });

  test.each(["", "Content-Length: 3\r\n"])(
    "a GET in lower case is no server error: %j",
    async (length) => {
      const body = length === "" ? "" : "abc";
      const wire = await send(`get /any HTTP/1.1\r\nHost: a\r\n${length}\r\n${body}`);
      // Bun closes the connection.
      const expected = { node: [400], deno: [200], bun: [] }[runtime];
      expect(statusesOf(wire).slice(0, 1)).toEqual(expected);
    },
  );

  test("a WebSocket handshake with a body is a 400", async () => {
    const wire = await send(`GET /socket HTTP/1.1\r\n${handshake}Content-Length: 3\r\n\r\nabc`);
    expect(statusesOf(wire)).toEqual([400]);
  });

  test("a WebSocket handshake over HTTP/1.0 upgrades nothing", async () => {
    const wire = await send(`GET /socket HTTP/1.0\r\n${handshake}\r\n`);
    // Deno and Bun do not tell the version of a request.
    if (runtime === "node") expect(statusesOf(wire)).toEqual([400]);
    else expect(statusesOf(wire)).toHaveLength(1);
  });

  test.each(["/health/live", "/admin"])("HTTP/1.0 without Host is served: %s", async (path) => {
    expect(statusesOf(await send(`GET ${path} HTTP/1.0\r\n\r\n`))).toEqual([200]);
    expect(statusesOf(await send(`HEAD ${path} HTTP/1.0\r\n\r\n`))).toEqual([200]);
  });

  test("HTTP/1.0 without Host has the host localhost", async () => {
    expect(await send("GET /host HTTP/1.0\r\n\r\n")).toMatch(/\r\n\r\nlocalhost(:\d+)?$/);
  });

  test("HTTP/1.0 with an invalid Host is a 400", async () => {
    expect(statusesOf(await send("GET /admin HTTP/1.0\r\nHost: a/b?\r\n\r\n"))).toEqual([400]);
  });

  // Deno provides the first of two, without any sign of the other.
  test.runIf(runtime !== "deno")("HTTP/1.0 with two Hosts is a 400", async () => {
    const wire = await send("GET /admin HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n");
    expect(statusesOf(wire)).toEqual([400]);
  });

  test.runIf(runtime !== "deno")("HTTP/1.1 without Host is a 400", async () => {
    expect(statusesOf(await send("GET /admin HTTP/1.1\r\n\r\n"))).toEqual([400]);
  });

  test("the head of a stream is sent before its first chunk", async () => {
    const socket = connect(port(), "127.0.0.1", () => {
      socket.write("GET /late-events HTTP/1.1\r\nHost: a\r\n\r\n");
    });
    let received = "";
    const gets = (text: string): Promise<void> =>
      new Promise((resolve) => {
        socket.on("data", (chunk) => {
          received += chunk.toString();
          if (received.includes(text)) resolve();
        });
      });
    await gets("\r\n\r\n");
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).not.toContain("data: first");
    const event = gets("data: first");
    await fetch(new URL("/release", server.url));
    await event;
    socket.destroy();
  });
});
