import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../support/bundle.ts";
import { noRedis, type RedisServer, startRedis } from "../../support/redis-server.ts";
import { type ServerProcess, startServerProcess } from "../../support/server-process.ts";
import { enterRoom } from "./room-client.ts";

const entry = "test/websocket/rooms/room-server.ts";

describe.skipIf(noRedis !== undefined)(`two processes with Redis ${noRedis ?? ""}`, () => {
  let redis: RedisServer;
  let servers: ServerProcess[];
  beforeAll(async () => {
    redis = await startRedis();
    const env = { REDIS_URL: redis.url, PACKAGE_JSON: join(root, "package.json") };
    servers = [
      await startServerProcess(entry, "node", env),
      await startServerProcess(entry, "node", env),
    ];
  });
  afterAll(async () => {
    for (const { child } of servers ?? []) child.kill("SIGKILL");
    await redis?.stop();
  });
  const url = (index: number): string => servers[index]?.url ?? "";
  const membersOf = async (index: number, room: string): Promise<unknown> =>
    (await fetch(new URL(`/rooms/${room}/members`, url(index)))).json();

  test("share their rooms: messages, presence, members", async () => {
    const ada = await enterRoom(url(0), "lobby", "ada", ["chat"]);
    expect(ada.socket.protocol).toBe("chat");
    await expect.poll(() => ada.received).toEqual([{ joined: "ada", count: 1 }]);
    const bob = await enterRoom(url(1), "lobby", "bob");
    await expect.poll(() => ada.received.at(-1)).toEqual({ joined: "bob", count: 2 });
    expect(await membersOf(0, "lobby")).toEqual(["ada", "bob"]);
    expect(await membersOf(1, "lobby")).toEqual(["ada", "bob"]);
    bob.received.length = 0;
    ada.socket.send("hello");
    ada.socket.send(Uint8Array.of(1, 2));
    ada.socket.send("private");
    await expect
      .poll(() => bob.received)
      .toEqual([
        { from: "ada", text: "hello" },
        { from: "ada", text: [1, 2] },
      ]);
    await expect.poll(() => ada.received.at(-1)).toEqual({ private: "ada" });
    await fetch(new URL("/rooms/lobby?binary", url(1)), { method: "POST" });
    await expect.poll(() => ada.received.at(-1)).toEqual([1, 255]);
    await fetch(new URL("/rooms/lobby?except=first", url(1)), { method: "POST" });
    await expect.poll(() => bob.received.at(-1)).toBe("from a route");
    bob.socket.close();
    await expect.poll(() => ada.received.at(-1)).toEqual({ left: "bob", count: 1 });
    expect(ada.received).not.toContain("from a route");
    ada.socket.close();
  });

  test("a process that is killed takes its members with it; the others stay", async () => {
    const ada = await enterRoom(url(0), "garden", "ada");
    // The connection is open before its member has joined.
    await expect.poll(() => ada.received).toEqual([{ joined: "ada", count: 1 }]);
    await enterRoom(url(1), "garden", "bob");
    await expect.poll(() => ada.received.at(-1)).toEqual({ joined: "bob", count: 2 });
    servers[1]?.child.kill("SIGKILL");
    await expect
      .poll(() => ada.received.at(-1), { timeout: 10_000 })
      .toEqual({ left: "bob", count: 1 });
    expect(await membersOf(0, "garden")).toEqual(["ada"]);
  }, 20_000);
});
