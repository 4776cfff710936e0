import { afterEach, describe, expect, test, vi } from "vitest";
import { createApp } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Stops the clock; the function that it returns advances it. */
function stopClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["Date"] });
  return (ms) => void vi.setSystemTime(Date.now() + ms);
}

/** Resolves after the reactions of all promises that have settled. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A store as an application might bring it: it shows what is in it, and ignores times to live. */
function createStore() {
  const values = new Map<string, unknown>();
  return {
    values,
    get: async (key: string) => values.get(key),
    set: async (key: string, value: unknown) => void values.set(key, value),
    delete: async (key: string) => values.delete(key),
  };
}

test("Cache, useCacheStore: plugs in a store with get, set and delete", async () => {
  const app = createApp();
  const store = createStore();
  app.useCacheStore(store);
  await app.cacheSet("a", { b: 1 });
  expect(store.values.size).toBe(1);
  expect(await app.cacheGet("a")).toEqual({ b: 1 });
  await app.cacheDelete("a");
  expect(store.values.size).toBe(0);
});

test("Cache, useCacheStore: rejects a value that is not a store", () => {
  expect(() => createApp().useCacheStore({ get() {} } as never)).toThrow("get, set and delete");
});

describe("cacheGet", () => {
  test("Cache, cacheGet: the cached value, undefined on a miss", async () => {
    const app = createApp();
    await app.cacheSet("a", [1]);
    expect(await app.cacheGet("a")).toEqual([1]);
    expect(await app.cacheGet("b")).toBeUndefined();
  });

  test("Cache, cacheGet: null, 0, an empty string and false are values", async () => {
    const app = createApp();
    for (const value of [null, 0, "", false]) {
      await app.cacheSet("a", value);
      expect(await app.cacheGet("a")).toBe(value);
    }
  });

  test("Cache, cacheGet: returns a copy, so that callers cannot change each other's value", async () => {
    const app = createApp();
    const value = { list: [1] };
    await app.cacheSet("a", value);
    value.list.push(2);
    const first = await app.cacheGet<typeof value>("a");
    first?.list.push(3);
    expect(await app.cacheGet("a")).toEqual({ list: [1] });
  });

  test.each(["", ".", "..", "__proto__", "a/b:c", "k".repeat(600), "é".repeat(300), "🌳"])(
    "Cache, cacheGet: %j is an ordinary key",
    async (key) => {
      const app = createApp();
      expect(await app.cacheGet(key)).toBeUndefined();
      await app.cacheSet(key, "own");
      await app.cacheSet(`${key} `, "other");
      expect(await app.cacheGet(key)).toBe("own");
    },
  );
});

describe("cacheSet", () => {
  test.each([
    ["in memory", undefined],
    ["in a store without times to live", createStore],
  ])("Cache, cacheSet: its time to live %s is in milliseconds, and exact", async (_, create) => {
    const pass = stopClock();
    const app = createApp();
    if (create !== undefined) app.useCacheStore(create());
    await app.cacheSet("a", 1, 40);
    pass(39);
    expect(await app.cacheGet("a")).toBe(1);
    pass(1);
    expect(await app.cacheGet("a")).toBeUndefined();
  });

  test("Cache, cacheSet: never expires without a TTL or with Infinity; zero expires immediately", async () => {
    const pass = stopClock();
    const app = createApp();
    await app.cacheSet("a", 1);
    await app.cacheSet("b", 1, Number.POSITIVE_INFINITY);
    await app.cacheSet("c", 1, 0);
    await app.cacheSet("d", 1, -1);
    expect(await Promise.all(["c", "d"].map((key) => app.cacheGet(key)))).toEqual([
      undefined,
      undefined,
    ]);
    pass(100 * 365 * 24 * 60 * 60 * 1000);
    const found = await Promise.all(["a", "b", "c", "d"].map((key) => app.cacheGet(key)));
    expect(found).toEqual([1, 1, undefined, undefined]);
    await expect(app.cacheSet("e", 1, Number.NaN)).rejects.toThrow(TypeError);
  });
});

test("Cache, cacheDelete: removes the key; an unknown key is ignored", async () => {
  const app = createApp();
  await app.cacheSet("a", 1);
  await app.cacheDelete("a");
  await app.cacheDelete("b");
  expect(await app.cacheGet("a")).toBeUndefined();
});

describe("cacheRemember", () => {
  test("Cache, cacheRemember: the cached value, else it computes, stores and returns it", async () => {
    const pass = stopClock();
    const app = createApp();
    let calls = 0;
    const remember = () => app.cacheRemember("a", async () => (calls += 1), 30);
    expect([await remember(), await remember(), await app.cacheGet("a")]).toEqual([1, 1, 1]);
    pass(29);
    expect(await remember()).toBe(1);
    pass(1);
    expect(await remember()).toBe(2);
  });

  test("Cache, cacheRemember: one producer call for all concurrent callers", async () => {
    const app = createApp();
    let calls = 0;
    const producer = async () => {
      await settle();
      calls += 1;
      return { calls };
    };
    const all = await Promise.all(
      Array.from({ length: 1000 }, () => app.cacheRemember("a", producer, 1000)),
    );
    expect(all.every((value) => value.calls === 1)).toBe(true);
    expect(calls).toBe(1);
  });

  test("Cache, cacheRemember: a failure rejects for every caller, and is not stored", async () => {
    const app = createApp();
    let calls = 0;
    const producer = async () => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
      return "made";
    };
    const first = await Promise.allSettled([
      app.cacheRemember("a", producer),
      app.cacheRemember("a", producer),
    ]);
    expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await app.cacheRemember("a", producer)).toBe("made");
    expect(calls).toBe(2);
  });

  test("Cache, cacheRemember: falsy values are hits; undefined is never stored", async () => {
    const app = createApp();
    let calls = 0;
    for (const value of [null, 0, "", false]) {
      await app.cacheRemember(`k${value}`, () => value);
      expect(await app.cacheRemember(`k${value}`, () => (calls += 1))).toBe(value);
    }
    expect(calls).toBe(0);
    await app.cacheRemember("u", () => undefined);
    expect(await app.cacheRemember("u", () => "made")).toBe("made");
  });

  test("Cache, cacheRemember: does not undo a concurrent delete", async () => {
    const app = createApp();
    const gate = Promise.withResolvers<void>();
    const flight = app.cacheRemember("a", async () => {
      await gate.promise;
      return "old";
    });
    await settle();
    await app.cacheDelete("a");
    gate.resolve();
    expect(await flight).toBe("old");
    expect(await app.cacheGet("a")).toBeUndefined();
  });

  test("Cache, cacheRemember: staleMs serves the old value while one refresh runs", async () => {
    const pass = stopClock();
    const app = createApp();
    let calls = 0;
    const remember = () =>
      app.cacheRemember("a", async () => (calls += 1), 20, { staleMs: 10_000 });
    expect(await remember()).toBe(1);
    pass(20);
    expect(await Promise.all([remember(), remember()])).toEqual([1, 1]);
    await settle();
    expect([await remember(), calls]).toEqual([2, 2]);
    pass(20 + 10_000);
    expect(await remember()).toBe(3);
  });
});

test("Cache, events: hits and misses are emitted", async () => {
  const app = createApp();
  const seen: unknown[] = [];
  app.on("cache.*", (payload, event) => seen.push([event.name, payload]));
  await app.cacheGet("a");
  await app.cacheSet("a", 1);
  await app.cacheGet("a");
  await app.cache.namespace("books").get("b");
  await settle();
  expect(seen).toEqual([
    ["cache.miss", { key: "a", namespace: [] }],
    ["cache.hit", { key: "a", namespace: [] }],
    ["cache.miss", { key: "b", namespace: ["books"] }],
  ]);
});
