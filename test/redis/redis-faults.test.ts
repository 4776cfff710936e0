import { Application, json, RateLimitMiddleware, SessionMiddleware, session } from "espalier";
import { RedisCacheStore, RedisRateLimitStore, RedisSessionStore } from "espalier/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";

describe.skipIf(noRedis !== undefined)(`a Redis that stops answering ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  let client: Redis;
  let app: Application;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port);
    app = new Application({ logger: createRecordingLogger() });
    app.useCacheStore(new RedisCacheStore({ client }));
    const limiter = (allowOnStoreError: boolean): RateLimitMiddleware =>
      new RateLimitMiddleware({
        limit: 1000,
        key: () => "client",
        store: new RedisRateLimitStore({ client }),
        allowOnStoreError,
      });
    const sessions = new SessionMiddleware({
      secret: "a secret of at least thirty-two bytes",
      store: new RedisSessionStore({ client }),
    });
    const router = app.getRouter();
    router.get("/remember", async () => {
      return json(await app.cacheRemember("books", () => ["Emma"], 60_000));
    });
    router.get("/lenient", () => json({}), { middleware: [limiter(true)] });
    router.get("/strict", () => json({}), { middleware: [limiter(false)] });
    router.get("/visit", (ctx) => json(session(ctx).set("seen", true) ?? null), {
      middleware: [sessions],
    });
    await app.boot();
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  async function statuses(): Promise<Record<string, number>> {
    const paths = ["/remember", "/lenient", "/strict", "/visit"];
    const responses = await Promise.all(paths.map((path) => app.request(path)));
    return Object.fromEntries(paths.map((path, index) => [path, responses[index]?.status ?? 0]));
  }

  test("requests are answered while it hangs, and as usual when it comes back", async () => {
    const usual = { "/remember": 200, "/lenient": 200, "/strict": 200, "/visit": 200 };
    expect(await statuses()).toEqual(usual);
    await client.flushall();

    server.signal("SIGSTOP");
    const failing = { "/remember": 200, "/lenient": 200, "/strict": 503, "/visit": 503 };
    expect(await statuses()).toEqual(failing);

    server.signal("SIGCONT");
    await expect.poll(statuses, { timeout: 15_000, interval: 500 }).toEqual(usual);
  }, 40_000);
});
