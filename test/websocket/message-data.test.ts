import { Application } from "espalier";
import { Rooms } from "espalier/websocket";
import { describe, expect, test } from "vitest";
import { sendToAll } from "../../src/platform/cloudflare/web-socket-pair.ts";
import { WebSocketConnection } from "../../src/websocket/connection.ts";

function createConnection(): { socket: WebSocketConnection; received: unknown[] } {
  const received: unknown[] = [];
  const transport = {
    send: (data: unknown) => void received.push(data),
    close: () => {},
    terminate: () => {},
    bufferedBytes: () => 0,
    overheadBytes: () => 0,
    holdsServer: true,
  };
  return { socket: new WebSocketConnection(transport, undefined, 1_000_000), received };
}

/** A connection of a Durable Object; `send` is called with each message. */
function createObjectSocket(send: (data: unknown) => void) {
  return {
    readyState: 1,
    send,
    close() {},
    serializeAttachment() {},
    deserializeAttachment: () => undefined,
  };
}

const rooms = new Rooms(new Application());

describe.each([
  ["undefined", undefined, "undefined"],
  ["a promise", Promise.resolve("text"), "a promise"],
  ["a number", 5, "a number"],
  ["an object", { text: "x" }, "an object"],
])("a message that is %s", (_name, data, kind) => {
  const message =
    `The data of a WebSocket message must be a string or bytes, got ${kind}. ` +
    "Await a promise first, and use sendJson() for other values.";

  test("is refused by a connection, a room and a Durable Object", async () => {
    const { socket, received } = createConnection();
    expect(() => socket.send(data as never)).toThrow(message);
    await expect(rooms.send("lobby", data as never)).rejects.toThrow(message);
    const object = createObjectSocket((sent) => void received.push(sent));
    expect(() => sendToAll([object], data as never)).toThrow(message);
    expect(received).toEqual([]);
  });
});

test.each([
  [
    undefined,
    "The value of sendJson() must have a JSON form, got undefined. Use null for no value.",
  ],
  [Promise.resolve(1), "The value of sendJson() is a promise. Await it first."],
  [
    { user: Promise.resolve(1) },
    'The value of sendJson() has a promise as "user". Await it first.',
  ],
  [{ id: 1n }, "The value of sendJson() cannot be written as JSON; convert BigInt values"],
])("sendJson refuses %s", async (value, message) => {
  const { socket, received } = createConnection();
  expect(() => socket.sendJson(value)).toThrow(message);
  await expect(rooms.sendJson("lobby", value)).rejects.toThrow(message);
  expect(received).toEqual([]);
});

test("strings and bytes are sent", () => {
  const { socket, received } = createConnection();
  socket.send("text");
  socket.send(Uint8Array.of(1));
  socket.send(Uint8Array.of(2).buffer);
  socket.sendJson(null);
  expect(received).toEqual(["text", Uint8Array.of(1), Uint8Array.of(2), "null"]);
});

test("a connection of a Durable Object that refuses a message fails it only while it is open", () => {
  const received: unknown[] = [];
  const healthy = createObjectSocket((data) => void received.push(data));
  const cutOff = createObjectSocket(() => {
    cutOff.readyState = 3;
    throw new Error("closed");
  });
  sendToAll([cutOff, healthy], "first");
  const refusing = createObjectSocket(() => {
    throw new Error("too large");
  });
  expect(() => sendToAll([refusing, healthy], "second")).toThrow("too large");
  expect(received).toEqual(["first", "second"]);
});
