import { describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import type { CacheStore } from "../../src/cache/cache-store.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";

/** A store with only the three required methods, all asynchronous. */
function createPlainStore() {
  const entries = new Map<string, string>();
  const store: CacheStore = {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async (key) => void entries.delete(key),
  };
  return { store, entries };
}

const stores: [string, () => CacheStore][] = [
  ["memory", () => new MemoryCacheStore()],
  ["a store without clear", () => createPlainStore().store],
];

describe.each(stores)("tags on %s", (_name, createStore) => {
  it("a producer that runs during an invalidation stores no entry, and is not joined", async () => {
    const cache = new Cache({ store: createStore() });
    const old = Promise.withResolvers<string>();
    const producer = vi.fn(() => old.promise);
    const first = cache.remember("key", producer, 60_000, { tags: ["t"] });
    await vi.waitFor(() => expect(producer).toHaveBeenCalled(), { timeout: 10_000 });
    await cache.invalidateTags(["t"]);
    const second = cache.remember("key", () => "new", 60_000, { tags: ["t"] });
    expect(await second).toBe("new");
    old.resolve("old");
    expect(await first).toBe("old");
    expect(await cache.get("key")).toBe("new");
  });

  it("an invalidation in another process overrides a running producer in this one", async () => {
    const store = createStore();
    const here = new Cache({ store });
    const elsewhere = new Cache({ store });
    const old = Promise.withResolvers<string>();
    const producer = vi.fn(() => old.promise);
    const first = here.remember("key", producer, 60_000, { tags: ["t"] });
    await vi.waitFor(() => expect(producer).toHaveBeenCalled(), { timeout: 10_000 });
    await elsewhere.invalidateTags(["t"]);
    old.resolve("old");
    await first;
    expect(await here.get("key")).toBeUndefined();
  });

  it("an invalidated entry is not served as a stale one", async () => {
    let now = 0;
    const cache = new Cache({ store: createStore(), now: () => now });
    const options = { staleMs: 60_000, tags: ["t"] };
    await cache.remember("key", () => "old", 1000, options);
    now = 2000;
    await cache.invalidateTags(["t"]);
    expect(await cache.remember("key", () => "new", 1000, options)).toBe("new");
  });

  it("an entry whose generation was evicted is a miss, never a hit of an older generation", async () => {
    const store = createStore();
    const cache = new Cache({ store });
    await cache.remember("key", () => "old", 60_000, { tags: ["t"] });
    await cache.invalidateTags(["t"]);
    await store.delete("~t~t");
    expect(await cache.get("key")).toBeUndefined();
    expect(await cache.getMany(["key"])).toEqual([undefined]);
  });

  it.each([[undefined], ["t"], [[1]], [[""]]])("tags must be strings, not %j", async (tags) => {
    const cache = new Cache({ store: createStore() });
    await expect(cache.invalidateTags(tags as never)).rejects.toMatchObject({
      name: "TypeError",
      code: "ERR_CACHE_BAD_OPTION",
    });
    if (tags === undefined) return;
    const remember = cache.remember("key", () => 1, 1000, { tags: tags as never });
    await expect(remember).rejects.toMatchObject({ code: "ERR_CACHE_BAD_OPTION" });
  });
});

it("a namespace and nested ones are cleared even if the store cannot list keys", async () => {
  const { store, entries } = createPlainStore();
  const cache = new Cache({ store });
  const outer = cache.namespace("tenant");
  const inner = outer.namespace("books");
  await cache.set("a", 1);
  await outer.set("a", 2);
  await inner.set("a", 3);
  await inner.remember("b", () => 4);
  await outer.clear();
  expect(await cache.get("a")).toBe(1);
  expect([await outer.get("a"), await inner.get("a"), await inner.get("b")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  // They stay in the store until they expire.
  expect(entries.size).toBeGreaterThanOrEqual(4);
  await inner.set("a", 5);
  await inner.clear();
  await outer.set("a", 6);
  expect([await outer.get("a"), await inner.get("a")]).toEqual([6, undefined]);
});

it("remember continues, and stores nothing, if the generations cannot be read", async () => {
  const { store, entries } = createPlainStore();
  const cache = new Cache({
    store: {
      ...store,
      get: (key: string) =>
        key.includes("~t~") ? Promise.reject(new Error("down")) : store.get(key),
    },
  });
  expect(await cache.remember("key", () => 1, 60_000, { tags: ["t"] })).toBe(1);
  expect(entries.size).toBe(0);
});

it("a tag belongs to the namespace that it was used in", async () => {
  const cache = new Cache({ store: new MemoryCacheStore() });
  const [a, b] = [cache.namespace("a"), cache.namespace("b")];
  for (const part of [cache, a, b]) await part.remember("k", () => 1, 60_000, { tags: ["t"] });
  await a.invalidateTags(["t"]);
  expect(await Promise.all([cache, a, b].map((part) => part.has("k")))).toEqual([
    true,
    false,
    true,
  ]);
});

describe("generations", () => {
  it("expire after 30 days", async () => {
    const { store } = createPlainStore();
    const set = vi.spyOn(store, "set");
    await new Cache({ store }).invalidateTags(["t"]);
    expect(set.mock.calls).toEqual([["~t~t", expect.any(String), 2_592_000_000]]);
  });

  it.each(["}{x", "x}", "a b", "-!"])(
    "that are damaged, such as %j, are replaced",
    async (damaged) => {
      const { store } = createPlainStore();
      const cache = new Cache({ store });
      await store.set("~t~t", damaged);
      const remember = (value: string) =>
        cache.remember("key", () => value, 60_000, { tags: ["t"] });
      expect(await remember("first")).toBe("first");
      expect(await store.get("~t~t")).toMatch(/^[0-9a-f-]{36}$/);
      expect(await remember("second")).toBe("first");
      await cache.invalidateTags(["t"]);
      expect(await remember("third")).toBe("third");
    },
  );

  it("are read together, also if a store returns some of them at once", async () => {
    const entries = new Map<string, string>();
    const store: CacheStore = {
      get: (key) => (key === "~t~late" ? Promise.resolve(entries.get(key)) : entries.get(key)),
      set: (key, text) => void entries.set(key, text),
      delete: (key) => void entries.delete(key),
    };
    const cache = new Cache({ store });
    const options = { tags: ["early", "late"] };
    await cache.remember("key", () => "first", 60_000, options);
    expect(await cache.remember("key", () => "second", 60_000, options)).toBe("first");
    await cache.invalidateTags(["late"]);
    expect(await cache.get("key")).toBeUndefined();
  });

  it("are respected by a store that parses JSON", async () => {
    const entries = new Map<string, string>();
    const parse = (text?: string): unknown => (text?.startsWith("{") ? JSON.parse(text) : text);
    const store: CacheStore = {
      get: async (key) => parse(entries.get(key)),
      set: async (key, text) => void entries.set(key, text),
      delete: async (key) => void entries.delete(key),
    };
    const cache = new Cache({ store });
    await cache.remember("key", () => "first", 60_000, { tags: ["t"] });
    expect(await cache.get("key")).toBe("first");
    await cache.invalidateTags(["t"]);
    expect(await cache.get("key")).toBeUndefined();
  });
});

it("tags may be too long for the store, beside others and in a namespace", async () => {
  const { store } = createPlainStore();
  const cache = new Cache({ store }).namespace("tenant");
  const long = "é".repeat(300);
  const remember = (value: number) =>
    cache.remember("key", () => value, 60_000, { tags: ["short", long] });
  expect(await remember(1)).toBe(1);
  expect(await remember(2)).toBe(1);
  await cache.invalidateTags([long]);
  expect(await remember(3)).toBe(3);
  await cache.invalidateTags(["short"]);
  expect(await remember(4)).toBe(4);
  await cache.clear();
  expect(await remember(5)).toBe(5);
});

it("a producer that runs while its namespace is cleared stores no entry", async () => {
  const part = new Cache({ store: new MemoryCacheStore() }).namespace("a");
  const slow = Promise.withResolvers<string>();
  const producer = vi.fn(() => slow.promise);
  const remembered = part.remember("key", producer, 60_000);
  await vi.waitFor(() => expect(producer).toHaveBeenCalled(), { timeout: 10_000 });
  await part.clear();
  slow.resolve("made");
  expect(await remembered).toBe("made");
  expect(await part.get("key")).toBeUndefined();
});

it("an invalidation, or clearing a namespace, does not affect other producers", async () => {
  const cache = new Cache({ store: new MemoryCacheStore() });
  const [a, b] = [cache.namespace("a"), cache.namespace("b")];
  const slow = Promise.withResolvers<string>();
  const producer = vi.fn(() => slow.promise);
  const remembered = [
    a.remember("key", producer, 60_000),
    a.remember("tagged", producer, 60_000, { tags: ["other"] }),
  ];
  await vi.waitFor(() => expect(producer).toHaveBeenCalledTimes(2), { timeout: 10_000 });
  await a.invalidateTags(["t"]);
  await b.clear();
  slow.resolve("made");
  await Promise.all(remembered);
  expect([await a.get("key"), await a.get("tagged")]).toEqual(["made", "made"]);
});
