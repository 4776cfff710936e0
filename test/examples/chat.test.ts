import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { freePort } from "../support/free-port.ts";
import { noRedis } from "../support/redis-server.ts";
import { startWorkerd } from "../support/workerd.ts";
import { enterRoom, type RoomTestClient } from "../websocket/rooms/room-client.ts";

const noNginx =
  spawnSync("nginx", ["-v"]).status === 0 ? undefined : "the program nginx is not installed";
const reason = noRedis ?? noNginx;

/** Two guests talk, and one leaves. */
async function talk(base: string, enter: (name: string) => Promise<RoomTestClient>): Promise<void> {
  const ada = await enter("ada");
  await expect.poll(() => ada.received).toEqual([{ type: "joined", name: "ada", count: 1 }]);
  const bob = await enter("bob");
  await expect.poll(() => ada.received.at(-1)).toEqual({ type: "joined", name: "bob", count: 2 });
  ada.socket.send("hello");
  const message = { type: "message", from: "ada", text: "hello" };
  await expect.poll(() => bob.received.at(-1)).toEqual(message);
  await expect.poll(() => ada.received.at(-1)).toEqual(message);
  const members = await (await fetch(new URL("/rooms/lobby/members", base))).json();
  expect(members).toMatchObject([{ data: { name: "ada" } }, { data: { name: "bob" } }]);
  bob.socket.close();
  await expect.poll(() => ada.received.at(-1)).toEqual({ type: "left", name: "bob", count: 1 });
  ada.socket.close();
}

describe.skipIf(reason !== undefined)(`the chat behind nginx ${reason ?? ""}`, () => {
  test("its command starts two processes, whose guests talk to each other", async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [join(root, "examples/chat/start.mjs")], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    try {
      await expect
        .poll(() => output, { timeout: 30_000 })
        .toContain(`The chat is at http://localhost:${port}/`);
      const base = `http://127.0.0.1:${port}/`;
      const instances = new Set<string>();
      for (let index = 0; index < 10; index += 1) {
        instances.add(await (await fetch(new URL("/instance", base))).text());
      }
      expect(instances.size).toBe(2);
      await talk(base, (name) => enterRoom(base, "lobby", name));
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exited).toBe(0);
  }, 60_000);
});

test("the same chat runs on Workers", async () => {
  const miniflare = await startWorkerd("examples/chat/worker.ts", {
    env: { ROOMS: { type: "durable-object", worker: "worker", exportName: "ChatRoom" } },
    worker: { exports: { ChatRoom: { type: "durable-object", storage: "sqlite" } } },
  });
  try {
    const base = (await miniflare.ready).href;
    await talk(base, (name) => enterRoom(base, "lobby", name));
    expect(await (await fetch(base)).text()).toContain("<title>Chat</title>");
  } finally {
    await miniflare.dispose();
  }
});
