import { Application } from "espalier";
import { RedisBroadcastAdapter } from "espalier/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { broadcastAdapterSuite } from "../../src/testing/broadcast-adapter-suite.ts";
import { expectReplacement } from "../support/expect-replacement.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";
import { startSilentProxy } from "../support/silent-proxy.ts";

const urlOf = (port: number): string => `redis://127.0.0.1:${port}`;

describe.skipIf(noRedis !== undefined)(`Redis ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  let ioredis: Redis;
  let nodeRedis: ReturnType<typeof createClient>;

  beforeAll(async () => {
    server = await startRedis();
    ioredis = new Redis(server.port, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
    ioredis.on("error", () => {});
    nodeRedis = createClient({ url: server.url, disableOfflineQueue: true });
    nodeRedis.on("error", () => {});
    await nodeRedis.connect();
  });
  afterAll(async () => {
    ioredis?.disconnect();
    nodeRedis?.destroy();
    await server?.stop();
  });

  for (const name of ["ioredis", "node-redis"] as const) {
    const client = () => (name === "ioredis" ? ioredis : nodeRedis);
    const createAdapter = () => new RedisBroadcastAdapter({ client: client() });

    broadcastAdapterSuite({ name: `Redis with ${name}`, describe, it, createAdapter });

    test(`${name}: other prefixes are other applications`, async () => {
      const [one, other] = ["one:", "other:"].map(
        (prefix) => new RedisBroadcastAdapter({ client: client(), prefix }),
      );
      const seen: string[] = [];
      await other?.subscribe("news", (message) => seen.push(message));
      await one?.publish("news", "from one");
      await other?.publish("news", "from other");
      await expect.poll(() => seen).toEqual(["from other"]);
      await other?.close();
    });

    test(`${name}: subscriptions come back when the server was restarted`, async () => {
      const logger = createRecordingLogger();
      const app = new Application({ logger }).useBroadcast(createAdapter());
      const seen: unknown[] = [];
      app.onBroadcast("news", (payload) => seen.push(payload));
      await app.request("/");
      await app.broadcast("news", "before");
      await expect.poll(() => seen).toEqual(["before"]);
      await server.restart(500);
      await expect
        .poll(
          async () => {
            await app.broadcast("news", "after").catch(() => {});
            return seen.includes("after");
          },
          { timeout: 20_000, interval: 200 },
        )
        .toBe(true);
      await app.stop();
    }, 40_000);

    test(`${name}: boots while the server does not answer, and subscribes later`, async () => {
      const logger = createRecordingLogger();
      const app = new Application({ logger }).useBroadcast(createAdapter());
      const seen: unknown[] = [];
      app.onBroadcast("news", (payload) => seen.push(payload));
      server.signal("SIGSTOP");
      await app.request("/");
      await expect(app.broadcast("news", 1)).rejects.toMatchObject({ status: 503 });
      server.signal("SIGCONT");
      await expect
        .poll(
          async () => {
            await app.broadcast("news", "after").catch(() => {});
            return seen.filter((payload) => payload === "after").length > 0;
          },
          { timeout: 20_000, interval: 200 },
        )
        .toBe(true);
      seen.length = 0;
      await app.broadcast("news", "once");
      await expect.poll(() => seen.includes("once")).toBe(true);
      expect(seen.filter((payload) => payload === "once")).toEqual(["once"]);
      await app.stop();
    }, 40_000);
  }

  test.each(["ioredis", "node-redis"] as const)(
    "%s: subscriptions come back when their connection was dropped silently",
    async (name) => {
      const proxy = await startSilentProxy(server.port);
      const client =
        name === "ioredis" ? new Redis(proxy.port) : createClient({ url: urlOf(proxy.port) });
      client.on("error", () => {});
      if (!(client instanceof Redis)) await client.connect();
      const adapter = new RedisBroadcastAdapter({ client });
      const other = new RedisBroadcastAdapter({ client: ioredis });
      const seen: string[] = [];
      try {
        vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
        const unsubscribe = await adapter.subscribe("left", () => {});
        await adapter.subscribe("news", (message) => seen.push(message));
        unsubscribe();
        await expectReplacement(proxy, other, seen);
        seen.length = 0;
        await other.publish("news", "once");
        await other.publish("news", "last");
        await vi.waitFor(() => expect(seen.at(-1)).toBe("last"));
        expect(seen.filter((message) => message === "once")).toEqual(["once"]);
        await adapter.close();
        await vi.advanceTimersByTimeAsync(60_000);
        expect(vi.getTimerCount()).toBe(0);
      } finally {
        vi.useRealTimers();
        if (client instanceof Redis) client.disconnect();
        else client.destroy();
        proxy.close();
      }
    },
  );

  test("a client that is a function publishes, and cannot subscribe", async () => {
    const send = (args: string[]) => nodeRedis.sendCommand(args);
    const adapter = new RedisBroadcastAdapter({ client: send });
    await adapter.publish("news", "message");
    await expect(adapter.subscribe("news", () => {})).rejects.toMatchObject({
      code: "ERR_REDIS_BAD_CLIENT",
    });
  });
});
