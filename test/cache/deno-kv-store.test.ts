import { describe, expect, it, vi } from "vitest";
import { DenoKvCacheStore } from "../../src/platform/deno/kv-cache-store.ts";
import { cacheStoreSuite } from "../../src/testing/cache-store-suite.ts";
import { MemoryDenoKv } from "../queue/support/memory-deno-kv.ts";
import { FakeClock } from "../support/fake-clock.ts";

// `deno.test.ts` runs the same tests on Deno with its database.
cacheStoreSuite({
  describe,
  it,
  name: "a Deno.Kv in memory",
  createStore: () => new DenoKvCacheStore(new MemoryDenoKv()),
});

function createPair(prefix?: string) {
  const clock = new FakeClock();
  const kv = new MemoryDenoKv(clock);
  const store = new DenoKvCacheStore(kv, prefix === undefined ? {} : { prefix });
  const keys = (): unknown[] => [...kv.stored.values()].map(({ key }) => key);
  return { clock, kv, store, keys };
}

describe("the store of Deno KV", () => {
  it.each([
    [0, 1],
    [30_000, 1],
    [30_001, 2],
    [60_000, 2],
    [390_000, 13],
  ])("stores a string of %i characters in %i parts", async (length, parts) => {
    const { store, keys } = createPair();
    const text = "日".repeat(length);
    await store.set("k", text);
    expect(keys()).toEqual(Array.from({ length: parts }, (_, part) => ["cache", "k", part]));
    expect(await store.get("k")).toBe(text);
  });

  it("rejects a longer one, and keeps the previous value", async () => {
    const { store } = createPair();
    await store.set("k", "before");
    await expect(store.set("k", "x".repeat(390_001))).rejects.toMatchObject({
      code: "ERR_CACHE_VALUE_TOO_LARGE",
      message:
        'The value of cache key "k" has 390001 characters; the Deno KV store takes 390000. ' +
        "Cache less, or use another store for large values.",
    });
    expect(await store.get("k")).toBe("before");
  });

  it("reads the parts of one write, and none of an earlier, longer string", async () => {
    const { store, kv, keys } = createPair();
    await store.set("k", "a".repeat(120_000));
    const shorter = "b".repeat(45_000);
    await store.set("k", shorter);
    expect(keys()).toHaveLength(4);
    expect(await store.get("k")).toBe(shorter);
    // All parts are read in one batch, which is a consistent snapshot.
    expect(kv.batchSizes).toEqual([100]);
    await store.delete("k");
    expect(keys()).toEqual([]);
    expect(await store.get("k")).toBeUndefined();
  });

  it("reads one part without a list, and lists only the parts of the key", async () => {
    const { store, kv } = createPair();
    const long = "b".repeat(45_000);
    await store.set("a", "short");
    await store.set("k", long);
    expect(await store.get("a")).toBe("short");
    expect(kv.batchSizes).toEqual([]);
    expect(await store.get("k")).toBe(long);
  });

  it("has no entry while a part is missing or invalid", async () => {
    const { store, kv } = createPair();
    await store.set("k", "x".repeat(90_000));
    await kv.delete(["cache", "k", 1]);
    expect(await store.get("k")).toBeUndefined();
    await store.set("k", "x".repeat(90_000));
    await kv.delete(["cache", "k", 2]);
    expect(await store.get("k")).toBeUndefined();
    for (const value of [null, "text", {}, { count: 1 }, { count: 1, text: 5 }]) {
      kv.put(["cache", "k", 0], value, "v");
      expect(await store.get("k")).toBeUndefined();
    }
    kv.put(["cache", "k", 0], { count: 2, text: "x" }, "v");
    for (const value of [null, "text", { text: "x" }, { count: 2 }]) {
      kv.put(["cache", "k", 1], value, "v");
      expect(await store.get("k")).toBeUndefined();
    }
  });

  it("has no entry if its first part is deleted while it is read", async () => {
    const { store, kv } = createPair();
    await store.set("k", "x".repeat(45_000));
    const get = kv.get.bind(kv);
    kv.get = async (key) => {
      const first = await get<never>(key);
      kv.stored.clear();
      return first;
    };
    expect(await store.get("k")).toBeUndefined();
  });

  it("expires entries after whole milliseconds, and keeps those of 30 years", async () => {
    const { store, clock } = createPair();
    await store.set("soon", "x", 10.2);
    await store.set("some day", "x", 1_000_000_000_000);
    await store.set("never", "x", 1_000_000_000_001);
    await clock.advance(10);
    expect(await store.get("soon")).toBe("x");
    await clock.advance(1);
    expect(await store.get("soon")).toBeUndefined();
    await clock.advance(1_000_000_000_000);
    expect(await store.get("some day")).toBeUndefined();
    expect(await store.get("never")).toBe("x");
  });

  it("clears its prefix in batches, and keeps other data", async () => {
    const { store, kv, keys } = createPair("p");
    for (let index = 0; index < 250; index += 1) await store.set(`n:${index}`, "x");
    await store.set("m", "x");
    kv.put(["p"], "x", "v");
    kv.put(["p", "n:other"], "no entry of ours", "v");
    kv.put(["p", 5, 0], "nor this", "v");
    kv.put(["p", "n:text", "0"], "nor this", "v");
    kv.put(["q", "n:0", 0], "another's", "v");
    let commits = 0;
    const atomic = kv.atomic.bind(kv);
    kv.atomic = () => {
      commits += 1;
      return atomic();
    };
    const others = [["p"], ["p", "n:other"], ["p", 5, 0], ["p", "n:text", "0"], ["q", "n:0", 0]];
    await store.clearPrefix("n:");
    expect(keys()).toEqual([["p", "m", 0], ...others]);
    expect(commits).toBe(3);
    await store.clear();
    expect(keys()).toEqual(others);
  });

  it("deletes at most 100 parts at once, and commits no empty deletion", async () => {
    const { store, kv } = createPair();
    const commits: number[] = [];
    const atomic = kv.atomic.bind(kv);
    const count = async (entries: number): Promise<number[]> => {
      for (let index = 0; index < entries; index += 1) await store.set(`${index}`, "x");
      commits.length = 0;
      await store.clear();
      return [...commits];
    };
    kv.atomic = () => {
      const operation = atomic();
      const remove = vi.spyOn(operation, "delete");
      const commit = operation.commit.bind(operation);
      operation.commit = () => {
        commits.push(remove.mock.calls.length);
        return commit();
      };
      return operation;
    };
    expect(await count(0)).toEqual([]);
    expect(await count(200)).toEqual([100, 100]);
    expect(await count(201)).toEqual([100, 100, 1]);
  });

  it("opens the database lazily and once, and retries after a failure", async () => {
    let openings = 0;
    const kv = new MemoryDenoKv();
    const store = new DenoKvCacheStore(async () => {
      openings += 1;
      if (openings === 1) throw new Error("locked");
      return kv;
    });
    expect(openings).toBe(0);
    await expect(store.get("k")).rejects.toThrow("locked");
    await Promise.all([store.set("k", "x"), store.get("k"), store.delete("k")]);
    expect(openings).toBe(2);
  });
});
