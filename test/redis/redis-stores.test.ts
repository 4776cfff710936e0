import {
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisSessionStore,
  RedisTokenStore,
  type SendRedisCommand,
} from "espalier/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { cacheStoreSuite } from "../../src/testing/cache-store-suite.ts";
import { rateLimitStoreSuite } from "../../src/testing/rate-limit-store-suite.ts";
import { expectGrowingTokens } from "../support/fencing-tokens.ts";
import { expectSeparateLocks } from "../support/hostile-names.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";

const attempt = { key: "client", limit: 100, windowMs: 60_000 };

describe.skipIf(noRedis !== undefined)(`Redis ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  let ioredis: Redis;
  let nodeRedis: ReturnType<typeof createClient>;
  let prefixes = 0;
  const freshPrefix = (): string => {
    prefixes += 1;
    return `test-${prefixes}:`;
  };

  beforeAll(async () => {
    server = await startRedis();
    ioredis = new Redis(server.port, { maxRetriesPerRequest: 1 });
    nodeRedis = createClient({ url: server.url });
    await nodeRedis.connect();
  });
  afterAll(async () => {
    ioredis?.disconnect();
    nodeRedis?.destroy();
    await server?.stop();
  });

  for (const name of ["ioredis", "node-redis"] as const) {
    const client = () => (name === "ioredis" ? ioredis : nodeRedis);

    cacheStoreSuite({
      name: `Redis with ${name}`,
      describe,
      it,
      createStore: () => new RedisCacheStore({ client: client(), prefix: freshPrefix() }),
    });

    // Each prefix would match the other one if it were a pattern, or would not match itself.
    test.each([
      ["a*:", "ab:"],
      ["a?:", "ab:"],
      ["[ab]:", "a:"],
      ["a\\", "a*"],
    ])(`${name}: a cache with the prefix %s is cleared without the keys of %s`, async (...ends) => {
      const start = freshPrefix();
      const [one, other] = ends.map(
        (end) => new RedisCacheStore({ client: client(), prefix: start + end }),
      );
      await one?.set("key", "1");
      await other?.set("key", "2", 60_000);
      await one?.clear();
      expect([await one?.has("key"), await one?.get("key")]).toEqual([false, null]);
      expect([await other?.has("key"), await other?.get("key")]).toEqual([true, "2"]);
      // Redis refuses to delete no key.
      await one?.clear();
    });

    test(`${name}: an entry has its time to live, or none`, async () => {
      const prefix = freshPrefix();
      const store = new RedisCacheStore({ client: client(), prefix });
      await store.set("short", "1", 60_000);
      await store.set("endless", "1");
      expect(await ioredis.pttl(`${prefix}short`)).toBeGreaterThan(0);
      expect(await ioredis.pttl(`${prefix}endless`)).toBe(-1);
    });

    let now = Date.UTC(2026, 0, 1);
    rateLimitStoreSuite({
      name: `Redis with ${name}`,
      describe,
      it,
      createStore: () =>
        new RedisRateLimitStore({ client: client(), prefix: `limits-${name}:`, now: () => now }),
      wait: (ms) => {
        now += ms;
      },
    });

    test(`${name}: a session is replaced only if it has not changed`, async () => {
      const store = new RedisSessionStore({ client: client(), prefix: freshPrefix() });
      await store.set("id", "one", 60_000);
      expect(await store.compareAndSet("id", "other", "two", 60_000)).toBe(false);
      expect(await store.compareAndSet("id", "one", "two", 60_000)).toBe(true);
      expect(await store.get("id")).toBe("two");
      const key = `test-${prefixes}:id`;
      expect(await ioredis.pttl(key)).toBeGreaterThan(0);
      expect(await store.compareAndSet("id", "one", undefined, 0)).toBe(false);
      expect(await store.compareAndSet("id", "two", undefined, 0)).toBe(true);
      expect(await store.get("id")).toBeNull();
      expect(await store.compareAndSet("absent", "", "new", 60_000)).toBe(false);
    });

    test(`${name}: of concurrent writers that saw the same value, one succeeds`, async () => {
      const store = new RedisTokenStore({ client: client(), prefix: freshPrefix() });
      await store.set("family", "first", 60_000);
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          store.compareAndSet("family", "first", `next ${index}`, 60_000),
        ),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
    });
  }

  test("a window is of the time of the server, in milliseconds", async () => {
    const prefix = freshPrefix();
    const store = new RedisRateLimitStore({ client: ioredis, prefix });
    await store.consume(attempt);
    const [seconds = 0] = (await ioredis.time()).map(Number);
    const [hit = 0] = (await ioredis.lrange(`${prefix}client`, 0, -1)).map(Number);
    expect(Math.abs(seconds - Math.floor(hit / 1000))).toBeLessThan(60);
  });

  test("the keys of a limiter expire with their window", async () => {
    const prefix = freshPrefix();
    const store = new RedisRateLimitStore({ client: ioredis, prefix });
    await store.consume({ ...attempt, windowMs: 5000 });
    const ttlMs = await ioredis.pttl(`${prefix}client`);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(5000);
  });

  test("scripts are sent again after Redis has forgotten them", async () => {
    const store = new RedisRateLimitStore({ client: ioredis, prefix: freshPrefix() });
    await store.consume(attempt);
    await ioredis.script("FLUSH");
    expect(await store.consume(attempt)).toMatchObject({ allowed: true, remaining: 98 });
  });

  test("tokens are refused by a server that may evict them", async () => {
    const evicting = await startRedis("--maxmemory", "8mb", "--maxmemory-policy", "volatile-lru");
    const client = new Redis(evicting.port, { maxRetriesPerRequest: 1 });
    try {
      const store = new RedisTokenStore({ client });
      for (const call of [
        () => store.get("revoked"),
        () => store.set("revoked", "1", 60_000),
        () => store.compareAndSet("revoked", "1", "2", 60_000),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: "ERR_REDIS_EVICTS" });
      }
      await client.config("SET", "maxmemory-policy", "noeviction");
      await store.set("revoked", "1", 60_000);
      expect(await store.get("revoked")).toBe("1");
    } finally {
      client.disconnect();
      await evicting.stop();
    }
  });

  test("a policy without a limit of memory evicts no token, and the server is asked once", async () => {
    const unlimited = await startRedis("--maxmemory-policy", "allkeys-lru");
    const client = new Redis(unlimited.port, { maxRetriesPerRequest: 1 });
    const sent: string[] = [];
    const store = new RedisTokenStore({
      client: (args) => {
        sent.push(args[0] ?? "");
        return client.call(args[0] ?? "", args.slice(1));
      },
    });
    try {
      await store.set("revoked", "1", 60_000);
      expect(await store.get("revoked")).toBe("1");
      expect(sent).toEqual(["INFO", "SET", "GET"]);
    } finally {
      client.disconnect();
      await unlimited.stop();
    }
  });

  test("a lock has one holder among 50, whose fencing tokens grow", async () => {
    const client = ioredis;
    const prefix = freshPrefix();
    const stores = [new RedisLockStore({ client, prefix }), new RedisLockStore({ client, prefix })];
    let highest = 0;
    for (let round = 0; round < 5; round += 1) {
      const tokens = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          stores[index % 2]?.acquire("import", `owner ${index}`, 60_000),
        ),
      );
      const owner = tokens.findIndex((token) => token !== undefined);
      expect(tokens.filter((token) => token !== undefined)).toHaveLength(1);
      expect(tokens[owner]).toBeGreaterThan(highest);
      highest = tokens[owner] ?? 0;
      expect(await stores[0]?.renew("import", "stranger", 60_000)).toBe(false);
      expect(await stores[0]?.renew("import", `owner ${owner}`, 60_000)).toBe(true);
      expect(await stores[1]?.release("import", "stranger")).toBe(false);
      expect(await stores[1]?.release("import", `owner ${owner}`)).toBe(true);
      expect(await stores[1]?.release("import", `owner ${owner}`)).toBe(false);
    }
  });

  test("fencing tokens grow, also after Redis has lost its data or its clock was set back", async () => {
    const prefix = freshPrefix();
    const store = new RedisLockStore({ client: ioredis, prefix });
    await expectGrowingTokens(store, async () => {
      await ioredis.del(`{${prefix}import}:token`);
      return store;
    });
    const future = Date.UTC(2100, 0, 1) * 1000;
    await ioredis.set(`{${prefix}import}:token`, future);
    expect(await store.acquire("import", "a", 60_000)).toBe(future + 1);
    expect(await ioredis.get(`{${prefix}import}:token`)).toBe(String(future + 1));
  });

  test("locks of any names are separate", async () => {
    for (const client of [ioredis, nodeRedis]) {
      await expectSeparateLocks(new RedisLockStore({ client, prefix: freshPrefix() }));
    }
  });

  test("a lock has both keys on one server of a cluster, and its token for a day or longer", async () => {
    const prefix = freshPrefix();
    const store = new RedisLockStore({ client: ioredis, prefix });
    const day = 24 * 3600 * 1000;
    const key = `{${prefix}import}`;
    await store.acquire("import", "one", 60_000);
    expect((await ioredis.keys(`*${prefix}*`)).toSorted()).toEqual([key, `${key}:token`]);
    const tokenMs = await ioredis.pttl(`${key}:token`);
    expect(tokenMs).toBeGreaterThan(0.9 * day);
    expect(tokenMs).toBeLessThanOrEqual(day);
    await store.renew("import", "one", 120_000);
    expect(await ioredis.pttl(key)).toBeGreaterThan(60_000);
    await store.release("import", "one");
    await store.acquire("import", "other", 10 * day);
    expect(await ioredis.pttl(`${key}:token`)).toBeGreaterThan(9 * day);
  });

  test("a value that is replaced has the new time to live, or none", async () => {
    const prefix = freshPrefix();
    const store = new RedisCacheStore({ client: ioredis, prefix });
    const ttlMs = () => ioredis.pttl(`${prefix}key`);
    expect(await store.compareAndSet("key", undefined, "one", 5000)).toBe(true);
    expect(await ttlMs()).toBeGreaterThan(0);
    expect(await store.compareAndSet("key", undefined, "again", 60_000)).toBe(false);
    expect(await store.compareAndSet("key", "one", "two", 60_000)).toBe(true);
    expect(await ttlMs()).toBeGreaterThan(5000);
    expect(await store.compareAndSet("key", "two", "three")).toBe(true);
    expect(await ttlMs()).toBe(-1);
  });

  test("a cache of more keys than one scan looks at is cleared completely", async () => {
    const prefix = freshPrefix();
    const store = new RedisCacheStore({ client: ioredis, prefix });
    await Promise.all(
      Array.from({ length: 1200 }, (_, index) => store.set(`${index}`, "x", 60_000)),
    );
    await store.clear();
    expect(await ioredis.keys(`${prefix}*`)).toEqual([]);
  });

  test("a lock expires with its time to live", async () => {
    const store = new RedisLockStore({ client: nodeRedis, prefix: freshPrefix() });
    expect(await store.acquire("import", "one", 100)).toBeDefined();
    expect(await store.acquire("import", "other", 100)).toBeUndefined();
    await expect.poll(() => store.acquire("import", "other", 100)).toBeDefined();
    expect(await store.renew("import", "one", 100)).toBe(false);
  });

  test("a function that sends one command is a client", async () => {
    const sent: string[] = [];
    const client: SendRedisCommand = (args) => {
      sent.push(args[0] ?? "");
      return nodeRedis.sendCommand(args);
    };
    const store = new RedisCacheStore({ client, prefix: freshPrefix() });
    await store.set("key", "value", 1000);
    expect(await store.getMany([])).toEqual([]);
    expect(await store.getMany(["key", "absent"])).toEqual(["value", null]);
    expect(sent).toEqual(["SET", "MGET"]);
  });
});

describe("clients", () => {
  test.each([[undefined], ["redis://localhost"], [{}], [{ slots: [], sendCommand: () => "" }]])(
    "%j is refused",
    (client) => {
      expect(() => new RedisCacheStore({ client: client as unknown as SendRedisCommand })).toThrow(
        expect.objectContaining({ code: "ERR_REDIS_BAD_CLIENT" }),
      );
    },
  );

  test("a cluster is asked for one key at a time, and cannot be cleared", async () => {
    const sent: string[][] = [];
    const client = {
      isCluster: true,
      call: async (...args: string[]) => {
        sent.push(args);
        return null;
      },
    };
    const store = new RedisCacheStore({ client });
    await store.getMany(["a", "b"]);
    expect(sent).toEqual([
      ["GET", "cache:a"],
      ["GET", "cache:b"],
    ]);
    await expect(store.clear()).rejects.toMatchObject({ code: "ERR_CACHE_CLEAR_UNSUPPORTED" });
  });

  test("a script is sent again only if Redis does not know it", async () => {
    const sent: string[] = [];
    const client: SendRedisCommand = async (args) => {
      sent.push(args[0] ?? "");
      throw new Error("READONLY You can't write against a read only replica.");
    };
    await expect(new RedisLockStore({ client }).release("a", "b")).rejects.toThrow("READONLY");
    expect(sent).toEqual(["EVALSHA"]);
  });

  test.each([
    [-1, "1"],
    [0, "1"],
    [0.2, "1"],
    [1.5, "2"],
    [1e300, "9007199254740991"],
  ])("a time to live of %d is sent as %s", async (ttlMs, expected) => {
    const sent: string[][] = [];
    const client: SendRedisCommand = async (args) => void sent.push(args);
    await new RedisCacheStore({ client }).set("key", "value", ttlMs);
    expect(sent).toEqual([["SET", "cache:key", "value", "PX", expected]]);
  });

  test("a misspelt option is refused", () => {
    const options = { client: async () => null, prefx: "a:" };
    expect(() => new RedisCacheStore(options)).toThrow('Did you mean "prefix"?');
  });
});
