import { Application } from "espalier";
import { upgradeWebSocket, type WebSocketConnection } from "espalier/websocket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeFrame, encodeFrame, opcodes } from "../../proof/websocket-frames/frame.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { openClient, type StopClient } from "../support/stop-clients.ts";

const handshake =
  "GET /echo/pings?key=right HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Encodes a frame of a client. */
const frame = (opcode: number, text: string): Buffer =>
  encodeFrame({ opcode, payload: Buffer.from(text) });

/** Returns the pongs and messages that a client has received. */
function repliesOf(client: StopClient): string[] {
  const received = Buffer.from(client.received(), "latin1");
  let rest = received.subarray(received.indexOf("\r\n\r\n") + 4);
  const replies: string[] = [];
  for (let next = decodeFrame(rest); next !== undefined; next = decodeFrame(rest)) {
    replies.push(`${next.opcode === opcodes.pong ? "pong" : "message"} ${next.payload}`);
    rest = rest.subarray(next.end);
  }
  return replies;
}

describe.each(["node", "deno", "bun"] as const)("pings on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/websocket/runtime/listen.ts", runtime);
  });
  afterAll(() => void server.child.kill("SIGKILL"));

  /** Sends frames in one write, and returns the replies to them until `last`. */
  async function exchange(frames: readonly Buffer[], last: string): Promise<string[]> {
    const client = await openClient(Number(new URL(server.url).port), handshake);
    await expect.poll(() => repliesOf(client).length, { timeout: 10_000 }).toBe(1);
    client.socket.write(Buffer.concat(frames));
    await expect.poll(() => repliesOf(client).at(-1), { timeout: 10_000 }).toBe(last);
    client.socket.destroy();
    return repliesOf(client).slice(1);
  }

  test("that arrive together get a reply to the last one; on Node, to no other", async () => {
    const pings = Array.from({ length: 1_000 }, (_, at) => frame(opcodes.ping, `${at}`));
    const replies = await exchange(pings, "pong 999");
    // A packet is read at once; the pings are in one packet or in a few.
    if (runtime === "node") expect(replies.length).toBeLessThan(20);
    else expect(replies.length).toBeLessThanOrEqual(1_000);
  });

  test("get their reply before a message that was sent after them", async () => {
    const frames = [frame(opcodes.ping, "a"), frame(opcodes.text, "b")];
    expect(await exchange(frames, "message b")).toEqual(["pong a", "message b"]);
  });
});

test("a client that reads no reply to its pings is closed at the limit of unsent bytes on Node", async () => {
  const limitBytes = 256 * 1024;
  const closes: number[] = [];
  const app = new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
  let connection: WebSocketConnection | undefined;
  app.getRouter().get("/", (ctx) =>
    upgradeWebSocket(
      ctx,
      {
        open: (socket) => {
          connection = socket;
        },
        close: (_socket, { code }) => void closes.push(code),
      },
      { maxBufferedBytes: limitBytes },
    ),
  );
  const { port } = await app.listen({ port: 0, gracefulSignals: false });
  const client = await openClient(port, handshake.replace("/echo/pings?key=right", "/"));
  await expect.poll(() => connection).toBeDefined();
  client.socket.pause();
  // Fills the buffers of the system, so that the replies wait in the process.
  while ((connection?.bufferedBytes ?? 0) < limitBytes / 2) {
    connection?.send(new Uint8Array(16 * 1024));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const ping = frame(opcodes.ping, "x".repeat(125));
  await expect
    .poll(
      async () => {
        for (let sent = 0; sent < 50; sent += 1) {
          client.socket.write(ping);
          // Each is read separately, and so gets its own reply.
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
        return connection?.isOpen;
      },
      { interval: 0, timeout: 20_000 },
    )
    .toBe(false);
  client.socket.destroy();
  await expect.poll(() => closes).toEqual([1006]);
  await app.stop();
});
