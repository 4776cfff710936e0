import { Application } from "espalier";
import { RedisCacheStore, RedisLockStore } from "espalier/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";

describe.skipIf(noRedis !== undefined)(`cacheRemember over one Redis ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  const clients: Redis[] = [];
  let one: Application;
  let other: Application;

  function createProcess(): Application {
    const client = new Redis(server.port, { maxRetriesPerRequest: 1 });
    clients.push(client);
    const app = new Application({ logger: createRecordingLogger() });
    app.useCacheStore(new RedisCacheStore({ client }));
    app.useLockStore(new RedisLockStore({ client }));
    return app;
  }

  beforeAll(async () => {
    server = await startRedis();
    one = createProcess();
    other = createProcess();
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server?.stop();
  });

  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  /** A producer that ends when it is told to, and reports that it has begun. */
  function controlledProducer(value: string) {
    let finish = (): void => {};
    let begin = (): void => {};
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const produce = (): Promise<string> => {
      begin();
      return new Promise((resolve) => {
        finish = () => resolve(value);
      });
    };
    return { produce, began, finish: () => finish() };
  }

  test("across: one producer for 200 callers in two processes", async () => {
    let calls = 0;
    const produce = async () => {
      calls += 1;
      await wait(100);
      return { call: calls };
    };
    const remember = (app: Application) =>
      app.cacheRemember("report", produce, 60_000, { across: true });
    const values = await Promise.all(
      Array.from({ length: 200 }, (_, index) => remember(index % 2 === 0 ? one : other)),
    );
    expect(calls).toBe(1);
    expect(values.every(({ call }) => call === 1)).toBe(true);
  });

  test("across: a failure is not stored, and the next process tries", async () => {
    const key = crypto.randomUUID();
    let calls = 0;
    const produce = async () => {
      calls += 1;
      await wait(50);
      if (calls === 1) throw new Error("The source is down.");
      return calls;
    };
    const results = await Promise.allSettled(
      [one, other].map((app) => app.cacheRemember(key, produce, 60_000, { across: true })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(calls).toBe(2);
    expect(await one.cacheGet(key)).toBe(2);
  });

  test("a result is stored also if the producer of another process has just failed", async () => {
    for (let run = 0; run < 20; run += 1) {
      const key = crypto.randomUUID();
      const failing = (): Promise<never> => Promise.reject(new Error("The source is down."));
      await expect(one.cacheRemember(key, failing, 60_000)).rejects.toThrow("down");
      const produce = async () => {
        await wait(10);
        return run;
      };
      expect(await other.cacheRemember(key, produce, 60_000)).toBe(run);
      expect(await one.cacheGet(key)).toBe(run);
    }
  });

  test("across: one process refreshes a stale value, and both serve it meanwhile", async () => {
    let calls = 0;
    const remember = (app: Application) =>
      app.cacheRemember(
        "stale",
        async () => {
          calls += 1;
          if (calls > 1) await wait(100);
          return calls;
        },
        150,
        { staleMs: 60_000, across: true },
      );
    expect(await remember(one)).toBe(1);
    await wait(200);
    const served = await Promise.all([one, other, one, other].map(remember));
    expect(served).toEqual([1, 1, 1, 1]);
    await expect.poll(() => other.cacheGet("stale"), { timeout: 5000 }).toBe(2);
    expect(calls).toBe(2);
  });

  test.each([
    ["deletes", (app: Application, key: string) => app.cacheDelete(key), undefined],
    ["sets", (app: Application, key: string) => app.cacheSet(key, "new", 60_000), "new"],
    ["clears the cache with", (app: Application) => app.cache.clear(), undefined],
  ])("no process stores what it produced while another %s the key", async (_, change, expected) => {
    for (const across of [false, true]) {
      const key = `changed ${across}`;
      const old = controlledProducer("old");
      const remembered = one.cacheRemember(key, old.produce, 60_000, { across });
      await old.began;
      await change(other, key);
      old.finish();
      expect(await remembered).toBe("old");
      expect(await one.cacheGet(key)).toBe(expected);
      expect(await other.cacheGet(key)).toBe(expected);
      await one.cacheDelete(key);
    }
  });

  test("a refresh does not bring back a stale key that another process deletes", async () => {
    const options = { staleMs: 60_000 };
    await one.cacheRemember("refreshed", () => "first", 20, options);
    await wait(40);
    const second = controlledProducer("second");
    expect(await one.cacheRemember("refreshed", second.produce, 60_000, options)).toBe("first");
    await second.began;
    await other.cacheDelete("refreshed");
    second.finish();
    await wait(50);
    expect(await other.cacheGet("refreshed")).toBeUndefined();
  });

  test("an entry whose tag was invalidated is replaced", async () => {
    const remember = (app: Application, value: string) =>
      app.cacheRemember("tagged", () => value, 60_000, { tags: ["books"] });
    expect(await remember(one, "first")).toBe("first");
    await other.cache.invalidateTags(["books"]);
    expect(await remember(one, "second")).toBe("second");
    expect(await remember(other, "third")).toBe("second");
  });

  test("a producer without a result leaves nothing in Redis", async () => {
    expect(await one.cacheRemember("absent", () => undefined, 60_000)).toBeUndefined();
    const [client] = clients;
    await expect.poll(() => client?.exists("cache:absent")).toBe(0);
  });

  test("without a shared lock store, across logs a warning once", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    const [client] = clients as [Redis];
    app.useCacheStore(new RedisCacheStore({ client }));
    for (const key of ["alone 1", "alone 2"]) {
      expect(await app.cacheRemember(key, () => 1, 60_000, { across: true })).toBe(1);
    }
    expect(logger.lines.filter(({ message }) => /across/.test(String(message)))).toHaveLength(1);
  });

  test("a Redis that hangs makes across go on without it", async () => {
    server.signal("SIGSTOP");
    const value = await one.cacheRemember("hung", () => "produced", 60_000, { across: true });
    expect(value).toBe("produced");
    server.signal("SIGCONT");
  });

  test("a Redis that hangs while the producer runs does not delay its callers for long", async () => {
    await expect
      .poll(() => one.cacheGet("hung").catch(() => "failed"), { timeout: 10_000 })
      .toBe(undefined);
    const slow = controlledProducer("produced");
    const remembered = one.cacheRemember("hung later", slow.produce, 60_000, { across: true });
    await slow.began;
    server.signal("SIGSTOP");
    slow.finish();
    expect(await remembered).toBe("produced");
    server.signal("SIGCONT");
  });
});
