import { Application, SessionMiddleware, session } from "espalier";
import { RedisLockStore, RedisSessionStore, type SendRedisCommand } from "espalier/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";

const secret = "x".repeat(32);

describe.skipIf(noRedis !== undefined)(`eviction by Redis ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.port, { maxRetriesPerRequest: 1 });
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  /** Client that records the commands it sends; `refuses` makes it fail for one of them. */
  function createClient(refuses?: string) {
    const sent: string[] = [];
    const client: SendRedisCommand = async ([command = "", ...args]) => {
      sent.push(command);
      if (command === refuses)
        throw new Error(`NOPERM this user has no permissions to run ${refuses}`);
      return await redis.call(command, ...args);
    };
    return { client, sent };
  }

  /** Takes three locks and serves three requests with a session; returns the warnings. */
  async function useStores(client: SendRedisCommand): Promise<string[]> {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.useLockStore(new RedisLockStore({ client }));
    app.use(new SessionMiddleware({ secret, store: new RedisSessionStore({ client }) }));
    app.getRouter().get("/", async (ctx) => {
      await (await app.lock(`lock ${crypto.randomUUID()}`))?.release();
      session(ctx).set("visited", true);
      return new Response("ok");
    });
    for (let request = 0; request < 3; request += 1) {
      expect((await app.request("/")).status).toBe(200);
    }
    return logger.lines
      .filter(({ level }) => level === "warn")
      .map(({ message }) => String(message))
      .toSorted();
  }

  async function configure(maxmemory: string, policy: string): Promise<void> {
    await redis.config("SET", "maxmemory", maxmemory);
    await redis.config("SET", "maxmemory-policy", policy);
  }

  test.each(["allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl"])(
    "by %s is warned about once for each store",
    async (policy) => {
      await configure("100mb", policy);
      const { client, sent } = createClient();
      const fix = "Set it to noeviction, or keep this data on another server.";
      expect(await useStores(client)).toEqual([
        `The Redis server of RedisLockStore has the maxmemory-policy "${policy}", so it may evict a lock that is ` +
          `held, which then gets a second holder. ${fix}`,
        `The Redis server of RedisSessionStore has the maxmemory-policy "${policy}", so it may evict a session, ` +
          `whose user is then signed out. ${fix}`,
      ]);
      expect(sent.filter((command) => command === "INFO")).toHaveLength(2);
    },
  );

  test.each([
    ["100mb", "noeviction"],
    ["0", "allkeys-lru"],
  ])("does not happen with a memory of %s and %s", async (maxmemory, policy) => {
    await configure(maxmemory, policy);
    const { client, sent } = createClient();
    expect(await useStores(client)).toEqual([]);
    expect(sent.filter((command) => command === "INFO")).toHaveLength(2);
  });

  test("is not known of a server that forbids INFO, whose stores work", async () => {
    await configure("100mb", "allkeys-lru");
    const { client, sent } = createClient("INFO");
    expect(await useStores(client)).toEqual([]);
    expect(sent.filter((command) => command === "INFO")).toHaveLength(2);
  });
});

test("a server that never responds to INFO delays no lock", async () => {
  const client: SendRedisCommand = async ([command]) =>
    command === "INFO" ? await new Promise(() => {}) : 1;
  const app = new Application();
  app.useLockStore(new RedisLockStore({ client }));
  const lock = await app.lock("import");
  expect(lock?.fencingToken).toBe(1);
  expect(await lock?.release()).toBe(true);
});
