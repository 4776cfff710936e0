import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Application } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { serveForSuite } from "../support/serve-for-suite.ts";

const twoFramings =
  "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunkedBody = "POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const piece = Buffer.alloc(50_000, "x");

describe("a refused request on Node", () => {
  const server = serveForSuite("test/faults/support/protocol-server.ts", "node");
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Connects, and sends the beginning of a request; does not read yet. */
  async function begin(request: string): Promise<Socket> {
    const port = Number(new URL(server.url).port);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    sockets.push(socket);
    await once(socket, "connect");
    socket.write(request);
    return socket;
  }

  /** Sends a megabyte in pieces of 50 kB, whatever the server does meanwhile. */
  async function sendMegabyte(socket: Socket): Promise<void> {
    for (let sent = 0; sent < 20; sent += 1) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function readAll(socket: Socket): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    return Buffer.concat(chunks).toString("latin1");
  }

  /** Reads what comes, and resolves when the connection is closed or reset. */
  async function closeOf(socket: Socket): Promise<void> {
    socket.resume();
    socket.on("error", () => {});
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  }

  test.each([
    ["with two framings", 400, twoFramings],
    ["with too long a head", 431, "GET /any HTTP/1.1\r\nHost: a\r\nX-Long: "],
    ["with a chunk of a wrong size", 400, `${chunkedBody}3\r\nabc\r\nz`],
    ["with a chunk of a wrong size, which is still read", 400, `${chunkedBody}3\r\nabcd`],
    ["with too long an extension of a chunk", 413, `${chunkedBody}3;`],
  ])("%s gets its response though its client still sends", async (_, status, request) => {
    const socket = await begin(request);
    let failure: Error | undefined;
    socket.on("error", (error) => {
      failure = error;
    });
    await sendMegabyte(socket);
    expect(failure).toBeUndefined();
    const response = await readAll(socket);
    expect(statusOf(response)).toBe(status);
    expect(response).toMatch(/^HTTP\/1\.1 [^\r]+\r\nConnection: close\r\n\r\n$/);
    expect((await fetch(new URL("/admin", server.url))).status).toBe(200);
  });

  test.each([
    ["that asks for no other request", 405, "POST /admin HTTP/1.1\r\nConnection: close"],
    ["of HTTP/1.0", 405, "POST /admin HTTP/1.0"],
    ["of HTTP/2.0", 505, "POST /admin HTTP/2.0"],
    [
      "with a host that is not valid",
      400,
      "POST /admin HTTP/1.1\r\nHost: b c\r\nConnection: close",
    ],
    [
      "with a body over the limit",
      413,
      "POST /body HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close",
    ],
  ])(
    "%s gets its response before its body ends, on a connection that is closed",
    async (_, status, head) => {
      const host = head.includes("Host") ? "" : "\r\nHost: a";
      const socket = await begin(`${head}${host}\r\nContent-Length: 5000000\r\n\r\n`);
      let failure: Error | undefined;
      socket.on("error", (error) => {
        failure = error;
      });
      await sendMegabyte(socket);
      expect(failure).toBeUndefined();
      expect(statusOf(await readAll(socket))).toBe(status);
    },
  );

  test("is closed after a second though its client never ends", async () => {
    const socket = await begin(twoFramings);
    const startedAt = performance.now();
    const timer = setInterval(() => socket.write("x"), 50);
    await closeOf(socket);
    clearInterval(timer);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  test.each([
    ["that the parser refuses", twoFramings],
    [
      "to a guarded route",
      "POST /admin HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5000000000\r\n\r\n",
    ],
  ])(
    "%s is closed after eight megabytes of a client that floods the server",
    async (_, request) => {
      const socket = await begin(request);
      const closed = closeOf(socket);
      const flood = (): void => {
        while (socket.writable && socket.write(piece)) {}
      };
      socket.on("drain", flood);
      flood();
      await closed;
      // Its own and the system's buffers hold a part of it.
      expect(socket.bytesWritten).toBeLessThan(64_000_000);
    },
  );

  test("behind a response that has begun closes the connection at once", async () => {
    const socket = await begin("GET /late-events HTTP/1.1\r\nHost: a\r\n\r\n");
    const reading = readAll(socket).catch(() => "reset");
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.write("a line that is not HTTP\r\n\r\n");
    expect(await reading).not.toContain("400");
  });
});

test("a request that does not arrive in time gets a 408", async () => {
  const app = new Application({ host: "127.0.0.1" });
  const { port } = await app.listen({ port: 0, headersTimeoutMs: 100, gracefulSignals: false });
  expect(await exchange(port, "GET / HTTP/1.1\r\n")).toBe(
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n",
  );
  await app.stop();
});
