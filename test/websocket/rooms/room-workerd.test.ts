import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeFrame, opcodes } from "../../../proof/websocket-frames/frame.ts";
import { handshake, openClient, type StopClient } from "../../support/stop-clients.ts";
import { startWorkerd } from "../../support/workerd.ts";
import { enterRoom } from "./room-client.ts";

let miniflare: Miniflare;
let base: string;
beforeAll(async () => {
  miniflare = await startWorkerd("test/websocket/rooms/room-worker.ts", {
    env: { ROOMS: { type: "durable-object", worker: "worker", exportName: "TestRoom" } },
    worker: { exports: { TestRoom: { type: "durable-object", storage: "sqlite" } } },
  });
  base = (await miniflare.ready).href;
});
afterAll(() => miniflare.dispose());

const membersOf = async (room: string): Promise<unknown> =>
  (await fetch(new URL(`/rooms/${room}/members`, base))).json();

test("a room in a Durable Object has messages, presence and members", async () => {
  const ada = await enterRoom(base, "lobby", "ada", ["chat"]);
  expect(ada.socket.protocol).toBe("chat");
  const bob = await enterRoom(base, "lobby", "bob");
  const cleo = await enterRoom(base, "kitchen", "cleo");
  await expect.poll(() => ada.received.at(-1)).toEqual({ joined: "bob", count: 2 });
  expect(await membersOf("lobby")).toEqual(["ada", "bob"]);
  bob.received.length = 0;
  ada.socket.send("hello");
  ada.socket.send(Uint8Array.of(1, 2));
  ada.socket.send("private");
  const expected = [
    { from: "ada", text: "hello" },
    { from: "ada", text: [1, 2] },
  ];
  await expect.poll(() => bob.received).toEqual(expected);
  await expect.poll(() => ada.received.at(-1)).toEqual({ private: "ada" });
  await fetch(new URL("/rooms/lobby?binary", base), { method: "POST" });
  await expect.poll(() => ada.received.at(-1)).toEqual([1, 255]);
  await fetch(new URL("/rooms/lobby?except=first", base), { method: "POST" });
  await expect.poll(() => bob.received.at(-1)).toBe("from a route");
  bob.socket.close(4000, "bye");
  await expect.poll(() => ada.received.at(-1)).toEqual({ left: "bob", count: 1 });
  expect(ada.received).not.toContain("from a route");
  expect(await membersOf("lobby")).toEqual(["ada"]);
  expect(cleo.received).toEqual([{ joined: "cleo", count: 1 }]);
});

test("a handler that fails, and a message that is too long, close the connection", async () => {
  const [ada, bob] = [await enterRoom(base, "hall", "ada"), await enterRoom(base, "hall", "bob")];
  ada.socket.send("fail");
  expect(await ada.closed).toEqual({ code: 1011, reason: "Unexpected error." });
  bob.socket.send("é".repeat(501));
  expect(await bob.closed).toEqual({ code: 1009, reason: "At most 1000 bytes." });
  const cleo = await enterRoom(base, "hall", "cleo");
  cleo.socket.send("goodbye");
  expect(await cleo.closed).toEqual({ code: 4001, reason: "as you like" });
  await expect.poll(() => membersOf("hall")).toEqual([]);
});

test("a member whose connection was closed has left, also if its client does not reply", async () => {
  const bob = await enterRoom(base, "gate", "bob");
  await expect.poll(() => bob.received).toEqual([{ joined: "bob", count: 1 }]);
  const connect = (name: string): Promise<StopClient> =>
    openClient(
      Number(new URL(base).port),
      handshake.replace("/socket", `/rooms/gate?name=${name}`),
    );
  const text = (message: string): Buffer =>
    encodeFrame({ opcode: opcodes.text, payload: Buffer.from(message) });
  for (const [name, cause] of [
    ["mallory", "goodbye"],
    ["eve", "x".repeat(1001)],
    ["trudy", "fail"],
  ] as const) {
    bob.received.length = 0;
    const client = await connect(name);
    await expect.poll(() => bob.received).toEqual([{ joined: name, count: 2 }]);
    client.socket.write(Buffer.concat([text(cause), text("I still speak")]));
    await expect.poll(() => bob.received.at(-1)).toEqual({ left: name, count: 1 });
    client.socket.write(text("I still speak"));
    client.socket.destroy();
  }
  bob.socket.send("late");
  await expect.poll(() => membersOf("gate")).toEqual(["bob"]);
  expect(bob.received).toEqual([
    { joined: "trudy", count: 2 },
    { left: "trudy", count: 1 },
  ]);
});

test("replies to a member that has gone are dropped, and a close must have a valid code", async () => {
  const ada = await enterRoom(base, "exit", "ada");
  ada.socket.send("last words");
  expect(await ada.closed).toEqual({ code: 4002, reason: "" });
  const bob = await enterRoom(base, "exit", "bob");
  bob.socket.send("bad code");
  await expect.poll(() => bob.received.at(-1)).toBe("ERR_WEBSOCKET_BAD_OPTION");
});

test("a room survives hibernation with its members and their data", async () => {
  const [ada, bob] = [await enterRoom(base, "night", "ada"), await enterRoom(base, "night", "bob")];
  ada.socket.send("object");
  await expect.poll(() => typeof ada.received.at(-1)).toBe("string");
  const before = ada.received.at(-1);
  await miniflare.unsafeEvictDurableObject("worker", "TestRoom", {
    name: "night",
    webSockets: "hibernate",
  });
  ada.socket.send("object");
  await expect.poll(() => ada.received.length).toBe(4);
  expect(ada.received.at(-1)).not.toBe(before);
  ada.socket.send("good morning");
  await expect.poll(() => bob.received.at(-1)).toEqual({ from: "ada", text: "good morning" });
  expect(await membersOf("night")).toEqual(["ada", "bob"]);
  bob.socket.close();
  await expect.poll(() => ada.received.at(-1)).toEqual({ left: "bob", count: 1 });
});

test("a member leaves once, also if its client goes after the room has hibernated", async () => {
  const ada = await enterRoom(base, "dusk", "ada");
  const mallory = await openClient(
    Number(new URL(base).port),
    handshake.replace("/socket", "/rooms/dusk?name=mallory"),
  );
  await expect.poll(() => ada.received.at(-1)).toEqual({ joined: "mallory", count: 2 });
  const goodbye = encodeFrame({ opcode: opcodes.text, payload: Buffer.from("goodbye") });
  mallory.socket.write(goodbye);
  await expect.poll(() => ada.received.at(-1)).toEqual({ left: "mallory", count: 1 });
  await miniflare.unsafeEvictDurableObject("worker", "TestRoom", {
    name: "dusk",
    webSockets: "hibernate",
  });
  ada.received.length = 0;
  mallory.socket.destroy();
  ada.socket.send("object");
  await expect.poll(() => ada.received.length).toBeGreaterThan(0);
  // The room handles a request after the end of the connection that was cut off.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(ada.received).toEqual([expect.any(String)]);
});

test("a client that joins after the deadline gets a 503 and is no member", async () => {
  const client = await openClient(
    Number(new URL(base).port),
    handshake.replace("/socket", "/rooms/slow?name=ada"),
  );
  await expect.poll(() => client.received()).toContain("503");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await membersOf("slow")).toEqual([]);
  client.socket.destroy();
});

test("an ordinary request is a 426", async () => {
  expect((await fetch(new URL("/rooms/lobby", base))).status).toBe(426);
});
