import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../support/random.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { openClient as openSocket } from "../support/stop-clients.ts";
import { openClient } from "../websocket/assertions.ts";

const handshake =
  "GET /echo/hostile?key=right HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

const mask = [0, 0, 0, 0];
const random = new Random(6455);
const noise = Array.from({ length: 2_000 }, () => random.between(0, 255));

/** Bytes after a handshake that RFC 6455 does not allow, or that end in the middle. */
const hostile: readonly (readonly [string, readonly number[]])[] = [
  ["a reserved opcode", [0x83, 0x80, ...mask]],
  ["a reserved bit", [0xf1, 0x80, ...mask]],
  ["a control frame in fragments", [0x09, 0x80, ...mask]],
  ["a control frame that is too long", [0x89, 0xfe, 0, 126, ...mask, ...Array(126).fill(0x61)]],
  ["a frame of 2^63 bytes", [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, ...mask]],
  ["a frame of 2^53 bytes", [0x82, 0xff, 0, 0x20, 0, 0, 0, 0, 0, 0, ...mask]],
  ["a continuation of nothing", [0x80, 0x80, ...mask]],
  ["a message within a message", [0x01, 0x80, ...mask, 0x81, 0x80, ...mask]],
  ["a text that is not UTF-8", [0x81, 0x82, ...mask, 0xff, 0xfe]],
  ["a close of one byte", [0x88, 0x81, ...mask, 3]],
  ["a close with the code 0", [0x88, 0x82, ...mask, 0, 0]],
  ["a frame without a mask", [0x81, 0x01, 0x61]],
  ["half a frame", [0x81]],
  ["a frame that never ends", [0x81, 0xfe, 3, 0xe8, ...mask, 0x61]],
  ["noise", noise],
];

describe.each(["node", "deno", "bun"] as const)("hostile WebSocket clients on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/websocket/runtime/listen.ts", runtime);
  });
  afterAll(() => void server.child.kill("SIGKILL"));

  test.each(hostile)("%s does not end the process, and others are served", async (_what, bytes) => {
    const client = await openSocket(Number(new URL(server.url).port), handshake);
    await expect.poll(client.received).toMatch(/^HTTP\/1\.1 101 /);
    client.socket.write(Uint8Array.from(bytes));
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.socket.resetAndDestroy();

    const other = await openClient(new URL("/echo/other?key=right", server.url).href);
    await other.next();
    other.socket.send("still here");
    expect(await other.next()).toBe("still here");
    other.socket.close();
    await other.closed;
    expect(server.child.exitCode).toBeNull();
  });
});
