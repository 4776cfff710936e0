import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { openClient as openRawClient } from "../support/stop-clients.ts";

/** A client: Node's WebSocket with its received messages. */
export interface Client {
  readonly socket: WebSocket;
  /** Returns the next message: text, or bytes as a string of numbers. */
  next(): Promise<string>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Opens a WebSocket; rejects if the server rejects the handshake. */
export function openClient(url: string, protocols: readonly string[] = []): Promise<Client> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), [...protocols]);
  socket.binaryType = "arraybuffer";
  const messages: string[] = [];
  const waiting: ((message: string) => void)[] = [];
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const message = typeof data === "string" ? data : [...new Uint8Array(data)].join(",");
    const receive = waiting.shift();
    if (receive === undefined) messages.push(message);
    else receive(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  const next = (): Promise<string> => {
    const message = messages.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve({ socket, next, closed }));
    socket.addEventListener("error", () => reject(new Error(`${url} did not open`)));
  });
}

const handshake = {
  // A rejected handshake closes the connection.
  connection: "Upgrade, close",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Sends a manual handshake, and returns the complete response of a server that does not upgrade. */
function shakeHands(
  base: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  timeoutMs = 5000,
): Promise<string> {
  return exchange(
    Number(new URL(base).port),
    writeHandshake(base, `GET ${path}`, headers),
    timeoutMs,
  );
}

/** Returns the bytes of a handshake; a header with an empty value is omitted. */
function writeHandshake(
  base: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const { host } = new URL(base);
  const lines = Object.entries({ host, ...handshake, ...headers })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Tests of WebSockets for every platform, against a running server. */
export function describeSockets(base: () => string): void {
  const echo = (name: string): string => new URL(`/echo/a%20b?key=right&name=${name}`, base()).href;

  async function journalOf(name: string): Promise<string> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const journal: string[] = await (await fetch(new URL("/journal", base()))).json();
      const line = journal.find((entry) => entry.startsWith(`${name} `));
      if (line !== undefined) return line;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    throw new Error(`no handler told that ${name} closed`);
  }

  test("a message is echoed, and the context of the request is available", async () => {
    const client = await openClient(echo("echo"), ["chat.v0", "chat.v1"]);
    expect(client.socket.protocol).toBe("chat.v1");
    expect(JSON.parse(await client.next())).toEqual({ room: "a b", protocol: "chat.v1" });
    client.socket.send("grüße");
    expect(await client.next()).toBe("grüße");
    client.socket.send(new Uint8Array([0, 255, 7]));
    expect(await client.next()).toBe("0,255,7");
    client.socket.close(4000, "done");
    expect(await client.closed).toEqual({ code: 4000, reason: "done" });
    expect(await journalOf("echo")).toBe("echo 4000 done");
  });

  test("without a requested protocol none is selected", async () => {
    const client = await openClient(echo("bare"));
    expect(client.socket.protocol).toBe("");
    client.socket.close();
    await client.closed;
    expect(await journalOf("bare")).toMatch(/^bare (1000|1005) $/);
  });

  test("the server closes with a code and a reason", async () => {
    const client = await openClient(echo("goodbye"));
    client.socket.send("goodbye");
    expect(await client.closed).toEqual({ code: 4001, reason: "as you like" });
    expect(await journalOf("goodbye")).toMatch(/^goodbye (4001|1005)/);
  });

  test.each([
    ["reset", (socket: Socket) => socket.resetAndDestroy()],
    ["ended without a close frame", (socket: Socket) => socket.destroy()],
  ])("a connection that is %s has the code 1006", async (name, end) => {
    const path = `/echo/a?key=right&name=${name.slice(0, 5)}`;
    const port = Number(new URL(base()).port);
    const client = await openRawClient(port, writeHandshake(base(), `GET ${path}`));
    await expect.poll(client.received).toContain('"room"');
    end(client.socket);
    expect(await journalOf(name.slice(0, 5))).toMatch(/ 1006 /);
  });

  test("a failing handler closes the connection without details", async () => {
    const client = await openClient(echo("failed"));
    client.socket.send("fail");
    expect(await client.closed).toEqual({ code: 1011, reason: "Unexpected error." });
  });

  test.each([
    ["a text", "x".repeat(1001)],
    ["a text of wide characters", "ü".repeat(501)],
    ["bytes", new Uint8Array(1001)],
  ])(
    "%s longer than the limit closes the connection and reaches no handler",
    async (_title, message) => {
      const client = await openClient(echo("long"));
      await client.next();
      client.socket.send(message);
      expect((await client.closed).code).toBe(1009);
      // The handler would have sent it back before the connection was closed.
      expect(await Promise.race([client.next(), "nothing"])).toBe("nothing");
    },
  );

  test("a message at the limit passes", async () => {
    const client = await openClient(echo("limit"));
    await client.next();
    client.socket.send("ü".repeat(500));
    expect(await client.next()).toBe("ü".repeat(500));
    client.socket.close();
    await client.closed;
  });

  test("a guard responds before the connection is opened", async () => {
    const response = await shakeHands(base(), "/echo/a?key=wrong");
    expect(statusOf(response)).toBe(401);
    expect(response).toContain("A key is needed.");
    expect(response.toLowerCase()).toContain("x-outer: 1");
    await expect(openClient(new URL("/echo/a", base()).href)).rejects.toThrow("did not open");
  });

  test("headers and cookies of middleware are in the handshake response", async () => {
    const response = await shakeHands(base(), "/echo/a?key=right&cookie", {}, 300);
    expect(statusOf(response)).toBe(101);
    expect(response.toLowerCase()).toContain("x-outer: 1");
    expect(response.toLowerCase()).toContain("set-cookie: seen=yes");
  });

  test("an ordinary request gets an error with the missing header", async () => {
    const response = await fetch(new URL("/echo/a?key=right", base()));
    expect(response.status).toBe(426);
    expect((await response.json()).detail).toBe("This route accepts only WebSocket connections.");
  });

  test.each([
    ["another version", { "sec-websocket-version": "8" }, 426],
    ["no key", { "sec-websocket-key": "" }, 400],
    ["a broken key", { "sec-websocket-key": "short" }, 400],
    ["a page of another origin", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["a host that ends like ours", { origin: "http://evil.localhost" }, 403],
    ["a page of no web", { origin: "app://{host}" }, 403],
    ["an origin that no browser writes", { origin: "http://evil.example@{host}" }, 403],
  ])("%s is rejected", async (_title, given, status) => {
    const { host } = new URL(base());
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace("{host}", host)]),
    );
    expect(statusOf(await shakeHands(base(), "/echo/a?key=right", headers))).toBe(status);
  });

  test("a page of the same host is accepted, and one of a listed origin if there is a list", async () => {
    const own = { origin: new URL(base()).origin };
    const other = { origin: "https://app.example" };
    expect(statusOf(await shakeHands(base(), "/echo/a?key=right", own, 300))).toBe(101);
    expect(statusOf(await shakeHands(base(), "/other-origins", other, 300))).toBe(101);
    expect(statusOf(await shakeHands(base(), "/other-origins", own))).toBe(403);
  });

  test("a handshake for another route is an ordinary request", async () => {
    const plain = await shakeHands(base(), "/plain");
    expect(statusOf(plain)).toBe(200);
    const missing = await shakeHands(base(), "/missing");
    expect(statusOf(missing)).toBe(404);
  });

  test("middleware may still replace the response", async () => {
    const response = await shakeHands(base(), "/replaced");
    expect(statusOf(response)).toBe(409);
    expect(response).toContain("Not after all.");
  });
}

/** Rules for the servers of `listen()`: Workers may not see the header, and get no such HEAD request. */
export function describeHandshakeRules(base: () => string): void {
  test("a HEAD request with the headers of a handshake is an ordinary one", async () => {
    const request = writeHandshake(base(), "HEAD /echo/a?key=right");
    expect(statusOf(await exchange(Number(new URL(base()).port), request, 1000))).toBe(426);
  });

  test.each(["", "close", "keep-alive"])(
    "a handshake with the header Connection %j is a 400 that names it",
    async (connection) => {
      const response = await shakeHands(base(), "/echo/a?key=right", { connection }, 1000);
      expect(statusOf(response)).toBe(400);
      expect(response).toContain('The header Connection must contain \\"Upgrade\\"');
    },
  );
}

/** Differences of Node's and Bun's upgrades; Deno drops such a body itself. */
export function describeOtherUpgrades(base: () => string): void {
  test("other upgrade protocols are ignored, and the request is served", async () => {
    const { host, port } = new URL(base());
    const body = '{"a":1}';
    const response = await exchange(
      Number(port),
      `POST /plain HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade, HTTP2-Settings, close\r\n` +
        `upgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(statusOf(response)).toBe(200);
    expect(response).toContain('{"body":{"a":1}}');
  });
}
