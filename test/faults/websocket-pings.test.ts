import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeFrame, encodeFrame, opcodes } from "../../proof/websocket-frames/frame.ts";
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
