import { Application, json } from "espalier";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { startWorkerd } from "../support/workerd.ts";

function createApp(): Application {
  return new Application({ logger: createRecordingLogger() });
}

test("without a store or a binding values are stored in memory", async () => {
  const app = createApp();
  await app.cacheSet("a", { b: 1 }, 60_000);
  expect(await app.cacheGet("a")).toEqual({ b: 1 });
  await app.cacheDelete("a");
  expect(await app.cacheGet("a")).toBeUndefined();
});

test("two applications do not share values", async () => {
  const [one, other] = [createApp(), createApp()];
  await one.cacheSet("a", 1);
  expect(await other.cacheGet("a")).toBeUndefined();
});

test("useCacheStore accepts any object with get, set and delete, and rejects others immediately", async () => {
  const app = createApp();
  const map = new Map<string, unknown>();
  app.useCacheStore(map);
  await app.cacheSet("a", 1);
  expect(map.size).toBe(1);
  expect(() => app.useCacheStore({} as never)).toThrow(
    "A cache cannot be stored in an object without get, set",
  );
});

test("cacheRemember calls its producer once for all concurrent callers", async () => {
  const app = createApp();
  let calls = 0;
  const values = await Promise.all(
    Array.from({ length: 1000 }, () => app.cacheRemember("a", async () => ++calls, 60_000)),
  );
  expect([calls, new Set(values)]).toEqual([1, new Set([1])]);
});

test("cache.hit and cache.miss are emitted to subscribers", async () => {
  const app = createApp();
  const seen: unknown[] = [];
  app.on("cache.*", (payload, event) => seen.push([event.name, (payload as { key: string }).key]));
  await app.cacheGet("a");
  await app.cacheSet("a", 1);
  await app.cacheGet("a");
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(seen).toEqual([
    ["cache.miss", "a"],
    ["cache.hit", "a"],
  ]);
});

test("an env with a KV binding passed to fetch stores the cache", async () => {
  const app = createApp();
  const kept = new Map<string, string>();
  const kv = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
    list: async () => ({ keys: [], list_complete: true }),
  };
  app.getRouter().get("/", async (ctx) => {
    await ctx.app.cacheSet("a", 1);
    return json(await ctx.app.cacheGet("a"));
  });
  expect(await (await app.request("/", {}, { KV: kv })).json()).toBe(1);
  expect([...kept.keys()]).toEqual(["cache:a"]);
});

describe("on workerd", () => {
  let mf: Miniflare;
  beforeAll(async () => {
    mf = await startWorkerd("test/application/support/cache-worker.ts");
  });
  afterAll(() => mf.dispose());

  test("the KV binding is found, and 200 concurrent requests are isolated", async () => {
    await mf.ready;
    const ask = async (n: number): Promise<void> => {
      const response = await mf.dispatchFetch(`http://localhost/remember/${n % 7}`);
      expect(await response.json()).toEqual({ n: n % 7 });
    };
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => ask(round * 20 + index)));
    }
    const kv = await mf.getKVNamespace("KV");
    const keys = (await kv.list()).keys.map(({ name }) => name).sort();
    expect(keys).toEqual(Array.from({ length: 7 }, (_, n) => `cache:n${n}`));
  });
});
