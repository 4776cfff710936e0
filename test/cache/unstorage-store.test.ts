import { createStorage } from "unstorage";
import { describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import { UnstorageCacheStore } from "../../src/cache/unstorage-store.ts";

describe("a cache store on unstorage", () => {
  it("marks values, so that unstorage does not parse them, and keeps colons in keys", async () => {
    const storage = createStorage();
    const store = new UnstorageCacheStore(storage);
    await store.set("a:b::c", '{"__proto__":1}');
    expect(await storage.getKeys()).toEqual(["a=b==c"]);
    expect(await storage.getItem("a=b==c")).toBe('={"__proto__":1}');
    expect(await store.get("a:b::c")).toBe('{"__proto__":1}');
  });

  it("returns what others have written unchanged", async () => {
    const storage = createStorage();
    await storage.setItem("text", "plain");
    await storage.setItem("object", { a: 1 });
    const cache = new Cache({ store: new UnstorageCacheStore(storage) });
    expect(await cache.getMany(["text", "object", "absent"])).toEqual([
      "plain",
      { a: 1 },
      undefined,
    ]);
  });

  it.each([
    [undefined, {}],
    [1, { ttl: 1 }],
    [1_000, { ttl: 1 }],
    [1_001, { ttl: 2 }],
    [60_000, { ttl: 60 }],
  ])("passes the time to live %o as %j", async (ttlMs, options) => {
    const storage = createStorage();
    const setItem = vi.spyOn(storage, "setItem");
    await new UnstorageCacheStore(storage).set("key", "text", ttlMs);
    expect(setItem.mock.calls).toEqual([["key", "=text", options]]);
  });

  it("clears the keys with a prefix, also one with a colon", async () => {
    const storage = createStorage();
    const store = new UnstorageCacheStore(storage);
    for (const key of ["a:b~1", "a:b~2", "a:c~1", "b"]) await store.set(key, "text");
    await store.clearPrefix("a:b~");
    expect((await storage.getKeys()).sort()).toEqual(["a=c~1", "b"]);
    await store.clear();
    expect(await storage.getKeys()).toEqual([]);
  });

  it("clears nothing if the storage does not list its keys as strings", async () => {
    const removeItem = vi.fn();
    const storage = { getItem: vi.fn(), setItem: vi.fn(), removeItem };
    for (const keys of [undefined, null, [undefined, 7]]) {
      const store = new UnstorageCacheStore({ ...storage, getKeys: async () => keys });
      await store.clear();
    }
    expect(removeItem).not.toHaveBeenCalled();
  });
});
