import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { openClient } from "../support/stop-clients.ts";

const limitBytes = 4 * 1024 * 1024;

describe.each(["node", "deno", "bun"] as const)("a WebSocket on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/faults/support/slow-readers-server.ts", runtime);
  });
  afterAll(() => void server.child.kill("SIGKILL"));

  interface Closes {
    readonly closes: readonly number[];
    readonly largest: number;
    readonly ended: number;
    readonly smallBytes?: number;
  }
  const closes = async (): Promise<Closes> => {
    const response = await fetch(new URL("/closes", server.url));
    return (await response.json()) as Closes;
  };

  test("is closed when its client reads nothing, and no more is buffered than the limit", async () => {
    const handshake =
      "GET /flood HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const client = await openClient(Number(new URL(server.url).port), handshake);
    client.socket.pause();
    client.socket.on("error", () => {}); // a reset
    // Deno has no way to terminate a connection: its client only receives no more.
    const isClosed = async (): Promise<number> =>
      runtime === "deno" ? (await closes()).ended : (await closes()).closes.length;
    await expect.poll(isClosed, { timeout: 20_000, interval: 200 }).toBe(1);
    const { largest } = await closes();
    expect(largest).toBeGreaterThan(limitBytes / 2);
    expect(largest).toBeLessThanOrEqual(limitBytes);
    client.socket.destroy();
  });

  test("counts the memory of small messages, which is many times their size", async () => {
    const handshake =
      "GET /small HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const client = await openClient(Number(new URL(server.url).port), handshake);
    client.socket.pause();
    client.socket.on("error", () => {}); // a reset
    const smallBytes = async (): Promise<number | undefined> => (await closes()).smallBytes;
    await expect.poll(smallBytes, { timeout: 25_000, interval: 200 }).toBeTypeOf("number");
    // Bun has one buffer for all messages.
    if (runtime !== "bun") expect(await smallBytes()).toBeLessThan(limitBytes / 10);
    client.socket.destroy();
  });

  test("with a client that reads is not closed", async () => {
    const socket = new WebSocket(new URL("/steady", server.url.replace("http", "ws")));
    let received = 0;
    socket.addEventListener("message", () => {
      received += 1;
    });
    const code = await new Promise((resolve) => {
      socket.addEventListener("close", (event) => resolve(event.code));
    });
    expect([code, received]).toEqual([1000, 40]);
  });
});
