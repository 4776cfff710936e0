import {
  RedisBroadcastAdapter,
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisSessionStore,
  RedisTokenStore,
} from "espalier/redis";
import { describe, expect, test } from "vitest";
import { readEvictionPolicy } from "../../src/redis/eviction-policy.ts";
import { connectRedis, type RedisClient } from "../../src/redis/redis-client.ts";
import { toRedisTtl } from "../../src/redis/redis-options.ts";
import { RedisScript } from "../../src/redis/redis-script.ts";
import { openSubscriber, type RedisSubscriber } from "../../src/redis/redis-subscriber.ts";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";

const stores = [
  RedisBroadcastAdapter,
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisSessionStore,
  RedisTokenStore,
].map((Store) => [Store.name, Store] as const);

/** A function as client, which records the commands and replies with `reply`. */
function createClient(reply: (args: readonly string[]) => unknown = () => "OK") {
  const commands: string[][] = [];
  const client = async (args: string[]): Promise<unknown> => {
    commands.push(args);
    return reply(args);
  };
  return { client, commands };
}

describe("a command is sent", () => {
  test("by the method call of ioredis, also to a cluster", async () => {
    const calls: unknown[] = [];
    const client = { call: async (...args: string[]) => calls.push(args) };
    const single = connectRedis(client, "A store");
    await single.send(["SET", "a", "1"]);
    await single.send([]);
    expect(calls).toEqual([["SET", "a", "1"], [""]]);
    expect(single.isCluster).toBe(false);
    expect(connectRedis({ ...client, isCluster: true }, "A store").isCluster).toBe(true);
  });

  test("by the method send of Bun", async () => {
    const calls: unknown[] = [];
    const client = { send: async (...args: unknown[]) => calls.push(args) };
    const connection = connectRedis(client, "A store");
    await connection.send(["SET", "a", "1"]);
    await connection.send([]);
    expect(calls).toEqual([
      ["SET", ["a", "1"]],
      ["", []],
    ]);
    expect(connection.isCluster).toBe(false);
  });

  test("by the method sendCommand of node-redis", async () => {
    const calls: unknown[] = [];
    const client = { sendCommand: async (args: string[]) => calls.push(args) };
    const connection = connectRedis(client, "A store");
    await connection.send(["SET", "a", "1"]);
    expect([calls, connection.isCluster]).toEqual([[["SET", "a", "1"]], false]);
  });

  test("by a function", async () => {
    const { client, commands } = createClient();
    const connection = connectRedis(client, "A store");
    expect(await connection.send(["SET", "a", "1"])).toBe("OK");
    expect([commands, connection.isCluster]).toEqual([[["SET", "a", "1"]], false]);
  });
});

describe.each(stores)("%s", (name, Store) => {
  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    ["redis://localhost", '"redis://localhost"'],
    [{}, "{}"],
    [{ sendCommand: () => {}, slots: [] }, "{ sendCommand, slots }"],
  ])("refuses %j as client", (client, got) => {
    expect(() => new Store({ client: client as RedisClient })).toThrow(
      expect.objectContaining({
        code: "ERR_REDIS_BAD_CLIENT",
        message:
          `The client of ${name} must be a client of ioredis, node-redis or Bun, or a function that sends ` +
          `one command, got ${got}. Pass new Redis(url), createClient({ url }) or ` +
          "(args) => client.sendCommand(args).",
      }),
    );
  });

  test("refuses a prefix that is not a string, and unknown options", () => {
    const { client } = createClient();
    expect(() => new Store({ client, prefix: 5 as never })).toThrow(
      expect.objectContaining({
        code: "ERR_REDIS_BAD_OPTION",
        message: `The option "prefix" of ${name} must be a string, got 5.`,
      }),
    );
    expect(() => new Store({ client, prefx: "a" } as never)).toThrow(
      expect.objectContaining({
        code: "ERR_REDIS_BAD_OPTION",
        message: `${name}: unknown option "prefx". Did you mean "prefix"?`,
      }),
    );
  });
});

describe("keys have the prefix", () => {
  const keyOf = (args: readonly string[] | undefined): string | undefined =>
    args?.[0] === "EVALSHA" ? args[3] : args?.[1];

  test.each<
    [string, (client: RedisClient, prefix?: { prefix: string }) => Promise<unknown>, string, string]
  >([
    [
      "of the cache",
      (client, own) => new RedisCacheStore({ client, ...own }).has("a"),
      "cache:a",
      "own:a",
    ],
    [
      "of locks, with the braces of a cluster",
      (client, own) => new RedisLockStore({ client, ...own }).acquire("a", "o", 1),
      "{lock:a}",
      "{own:a}",
    ],
    [
      "of rate limits",
      (client, own) =>
        new RedisRateLimitStore({ client, ...own }).consume({ key: "a", limit: 1, windowMs: 1 }),
      "rate-limit:a",
      "own:a",
    ],
    [
      "of messages",
      (client, own) => new RedisBroadcastAdapter({ client, ...own }).publish("a", "hello"),
      "broadcast:a",
      "own:a",
    ],
    [
      "of sessions",
      (client, own) => new RedisSessionStore({ client, ...own }).delete("a"),
      "a",
      "own:a",
    ],
    [
      "of tokens",
      (client, own) => new RedisTokenStore({ client, ...own }).get("a"),
      "token:a",
      "own:a",
    ],
  ])("%s", async (_name, use, standard, own) => {
    const { client, commands } = createClient(() => [1, 1, 1]);
    await use(client);
    await use(client, { prefix: "own:" });
    // A store of tokens first asks whether keys are evicted.
    const keys = commands.filter(([command]) => command !== "INFO").map(keyOf);
    expect(keys).toEqual([standard, own]);
  });
});

test("tokens are not stored where they may be evicted", async () => {
  let policy = "allkeys-lru";
  const { client, commands } = createClient(([command]) =>
    command === "INFO" ? `maxmemory:100\nmaxmemory_policy:${policy}` : "OK",
  );
  const store = new RedisTokenStore({ client });
  await expect(store.set("a", "1", 5)).rejects.toMatchObject({
    code: "ERR_REDIS_EVICTS",
    message:
      'The Redis server of RedisTokenStore has the maxmemory-policy "allkeys-lru", so it may evict a revoked ' +
      "token, which would be accepted again. Set it to noeviction, or keep tokens on another server.",
  });
  policy = "noeviction";
  await store.set("a", "1", 5);
  await store.get("a");
  // Asked until it is safe.
  expect(commands.map(([command]) => command)).toEqual(["INFO", "INFO", "SET", "GET"]);
});

test("a lock without a reply is not held, and one with a token is", async () => {
  for (const [reply, token] of [
    [null, undefined],
    [undefined, undefined],
    ["7", 7],
    [0, 0],
  ]) {
    const { client } = createClient(() => reply);
    expect(await new RedisLockStore({ client }).acquire("a", "me", 1_000)).toBe(token);
  }
});

describe("the cache", () => {
  test("is cleared page by page, and unlinks what was found", async () => {
    const pages = [
      ["17", ["cache:a", "cache:b"]],
      [8, []],
      ["0", ["cache:c"]],
    ];
    const { client, commands } = createClient(([command]) =>
      command === "SCAN" ? pages.shift() : 1,
    );
    await new RedisCacheStore({ client, prefix: "c*:" }).clear();
    expect(commands.map(([command, first]) => [command, first])).toEqual([
      ["SCAN", "0"],
      ["UNLINK", "cache:a"],
      ["SCAN", "17"],
      ["SCAN", "8"],
      ["UNLINK", "cache:c"],
    ]);
    expect(commands[0]?.slice(2, 5)).toEqual(["MATCH", "c\\*:*", "COUNT"]);
  });

  test("of a cluster cannot be cleared", async () => {
    const client = { call: async () => "OK", isCluster: true };
    await expect(new RedisCacheStore({ client }).clear()).rejects.toMatchObject({
      code: "ERR_CACHE_CLEAR_UNSUPPORTED",
      message:
        "RedisCacheStore cannot find all keys of a cluster. Clear namespaces, or use one server.",
    });
  });
});

describe("a connection for subscriptions", () => {
  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    ["redis://localhost", '"redis://localhost"'],
    [{ duplicate: true }, "{ duplicate }"],
    [{}, "{}"],
  ])("needs a client that can be duplicated, not %j", async (client, got) => {
    await expect(openSubscriber(client, () => {})).rejects.toMatchObject({
      code: "ERR_REDIS_BAD_CLIENT",
      message:
        "The client of RedisBroadcastAdapter must be a client of ioredis, node-redis or Bun to subscribe, " +
        `got ${got}. Pass new Redis(url) or createClient({ url }).`,
    });
  });

  /** A connection that records the calls of its methods, and its listeners. */
  function createConnection() {
    const calls: unknown[][] = [];
    const listeners = new Map<string, (...args: never[]) => void>();
    const record =
      (name: string) =>
      async (...args: unknown[]): Promise<unknown> => {
        calls.push([name, ...args.filter((arg) => typeof arg !== "function")]);
        const listener = args.find((arg) => typeof arg === "function");
        if (listener !== undefined) listeners.set(String(args[0]), listener as () => void);
        return 1;
      };
    const names = ["subscribe", "unsubscribe", "connect", "disconnect", "destroy", "close"];
    const connection = {
      ...Object.fromEntries(names.map((name) => [name, record(name)])),
      on: (event: string, listener: () => void) => listeners.set(event, listener),
      onconnect: null as (() => void) | null,
    };
    const settings: unknown[] = [];
    const duplicate = (given?: object): object => {
      settings.push(given);
      return connection;
    };
    return { calls, listeners, connection, settings, duplicate };
  }

  /** Opens the connection of a client that sends commands by `method`; `seen` has the messages. */
  async function open(method: "call" | "send" | "sendCommand") {
    const { duplicate, ...recorded } = createConnection();
    const seen: unknown[] = [];
    const client = { [method]: async () => "OK", duplicate };
    const subscriber = await openSubscriber(client, (...message) => seen.push(message));
    return { ...recorded, seen, subscriber };
  }

  test("of ioredis waits for its server, and is tried again at growing intervals", async () => {
    const { calls, listeners, settings, seen, subscriber } = await open("call");
    const [given] = settings as [{ retryStrategy: (attempts: number) => number }];
    expect(given).toMatchObject({
      enableOfflineQueue: true,
      lazyConnect: false,
      maxRetriesPerRequest: null,
      autoResubscribe: true,
    });
    expect([1, 5, 20, 100].map(given.retryStrategy)).toEqual([100, 500, 2_000, 2_000]);
    await subscriber.subscribe("a");
    await subscriber.unsubscribe("a");
    subscriber.close();
    expect(calls).toEqual([["subscribe", "a"], ["unsubscribe", "a"], ["disconnect"]]);
    // Without a listener, the client prints each failure.
    expect([...listeners.keys()]).toEqual(["error", "message"]);
    (listeners.get("message") as (...args: unknown[]) => void)("a", "hello");
    expect(seen).toEqual([["a", "hello"]]);
  });

  test("of a cluster of ioredis has no settings of one server", async () => {
    const { settings, duplicate } = createConnection();
    await openSubscriber({ call: async () => "OK", isCluster: true, duplicate }, () => {});
    expect(settings).toEqual([undefined]);
  });

  test("of node-redis connects first, and receives by channel", async () => {
    const { calls, listeners, settings, seen, subscriber } = await open("sendCommand");
    await subscriber.subscribe("a");
    (listeners.get("a") as (message: string) => void)("hello");
    await subscriber.unsubscribe("a");
    subscriber.close();
    expect(settings).toEqual([{ disableOfflineQueue: false }]);
    expect(calls).toEqual([["connect"], ["subscribe", "a"], ["unsubscribe", "a"], ["destroy"]]);
    expect([listeners.has("error"), seen]).toEqual([true, [["a", "hello"]]]);
  });

  test("of node-redis that cannot connect refuses subscriptions, and leaves no rejection unhandled", async () => {
    const { connection, duplicate } = createConnection();
    Object.assign(connection, { connect: () => Promise.reject(new Error("no server")) });
    const client = { sendCommand: async () => "OK", duplicate };
    let subscriber: RedisSubscriber | undefined;
    const unhandled = await unhandledRejectionsOf(async () => {
      subscriber = await openSubscriber(client, () => {});
    });
    expect(unhandled).toEqual([]);
    await expect(subscriber?.subscribe("a")).rejects.toThrow("no server");
  });

  test("of Bun subscribes again at each connection, to the channels that are left", async () => {
    const { calls, listeners, connection, seen, subscriber } = await open("send");
    await subscriber.subscribe("a");
    (listeners.get("a") as (message: string) => void)("hello");
    await subscriber.subscribe("b");
    await subscriber.unsubscribe("b");
    connection.onconnect?.();
    subscriber.close();
    expect(seen).toEqual([["a", "hello"]]);
    expect(calls).toEqual([
      ["subscribe", "a"],
      ["subscribe", "b"],
      ["unsubscribe", "b"],
      ["subscribe", "a"],
      ["close"],
    ]);
  });
});

describe("a script", () => {
  const script = new RedisScript("return 1");
  // Of `printf "return 1" | sha1sum`.
  const digest = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

  test("is called by its digest, and sent once a server has forgotten it", async () => {
    const { client, commands } = createClient(([command]) => {
      if (command === "EVALSHA") throw new Error("NOSCRIPT No matching script.");
      return 1;
    });
    const connection = connectRedis(client, "A store");
    expect(await script.run(connection, "key", ["a", 5])).toBe(1);
    expect(commands).toEqual([
      ["EVALSHA", digest, "1", "key", "a", "5"],
      ["EVAL", "return 1", "1", "key", "a", "5"],
    ]);
  });

  test.each([new Error("READONLY You can't write."), new Error("x NOSCRIPT"), "NOSCRIPT"])(
    "rejects with another error: %s",
    async (error) => {
      const { client, commands } = createClient(() => {
        throw error;
      });
      await expect(script.run(connectRedis(client, "A store"), "key", [])).rejects.toBe(error);
      expect(commands).toHaveLength(1);
    },
  );
});

test.each<[string, string | undefined]>([
  ["maxmemory:100\r\nmaxmemory_policy:allkeys-lru\r\n", "allkeys-lru"],
  ["maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n", undefined],
  ["maxmemory:100\r\nmaxmemory_policy:noeviction\r\n", undefined],
  ["maxmemory:100\r\n", undefined],
  ["maxmemory_policy:allkeys-lru\r\n", "allkeys-lru"],
  ["used_maxmemory_policy:allkeys-lru\r\n", undefined],
  ["", undefined],
])("the eviction policy in %j is %s", async (info, policy) => {
  const { client, commands } = createClient(() => info);
  expect(await readEvictionPolicy(connectRedis(client, "A store"))).toBe(policy);
  expect(commands).toEqual([["INFO", "memory"]]);
});

test.each([
  [0, "1"],
  [0.2, "1"],
  [1.5, "2"],
  [60_000, "60000"],
  [Number.POSITIVE_INFINITY, "9007199254740991"],
])("a time to live of %s ms is sent as %s", (ttlMs, sent) => {
  expect(toRedisTtl(ttlMs)).toBe(sent);
});
