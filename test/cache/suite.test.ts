import { describe, expect, it } from "vitest";
import type { CacheStore } from "../../src/cache/cache-store.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { cacheStoreSuite } from "../../src/testing/cache-store-suite.ts";

/** Runs the suite against a store, and returns the names of the failed tests. */
async function findFailures(createStore: () => CacheStore): Promise<string[]> {
  const tests: [string, () => Promise<void>][] = [];
  cacheStoreSuite({
    describe: (_name, body) => body(),
    it: (name, body) => tests.push([name, body]),
    name: "broken",
    createStore,
  });
  const failed: string[] = [];
  for (const [name, body] of tests) await body().catch(() => failed.push(name));
  return failed;
}

/** A correct store with one faulty method. */
function broken(change: (store: MemoryCacheStore) => Partial<CacheStore>): () => CacheStore {
  return () => {
    const store = new MemoryCacheStore();
    const right: CacheStore = {
      get: (key) => store.get(key),
      set: (key, text, ttlMs) => store.set(key, text, ttlMs),
      delete: (key) => store.delete(key),
      clear: () => store.clear(),
      clearPrefix: (prefix) => store.clearPrefix(prefix),
    };
    return { ...right, ...change(store) };
  };
}

/** A `compareAndSet` for a store in memory, which can keep the time to live of the former entry. */
function comparing(store: MemoryCacheStore, keepsTtl = false): Partial<CacheStore> {
  let formerTtlMs: number | undefined;
  return {
    compareAndSet: (key, expected, text, ttlMs) => {
      if (store.get(key) !== expected) return false;
      if (expected === undefined || !keepsTtl) formerTtlMs = ttlMs;
      store.set(key, text, formerTtlMs);
      return true;
    },
  };
}

describe("the suite for cache stores", () => {
  it("passes a correct store", async () => {
    expect(await findFailures(() => new MemoryCacheStore())).toEqual([]);
    expect(await findFailures(broken((store) => comparing(store)))).toEqual([]);
  });

  it.each<[string, () => CacheStore, string]>([
    ["forgets", broken(() => ({ set: () => {} })), "gives back the text it was given"],
    [
      "folds case",
      broken((store) => ({
        get: (key) => store.get(key.toLowerCase()),
        set: (key, text) => store.set(key.toLowerCase(), text),
      })),
      "keeps keys apart",
    ],
    [
      "cuts keys",
      broken((store) => ({
        get: (key) => store.get(key.slice(0, 30)),
        set: (key, text) => store.set(key.slice(0, 30), text),
        delete: (key) => store.delete(key.slice(0, 30)),
      })),
      "keeps keys apart",
    ],
    ["does not delete", broken(() => ({ delete: () => {} })), "replaces and deletes"],
    [
      "clears too much",
      broken((store) => ({ clearPrefix: () => store.clear() })),
      "clears all, or what begins with a prefix",
    ],
    [
      "clears too little",
      broken(() => ({ clear: () => {} })),
      "clears all, or what begins with a prefix",
    ],
    [
      "gives many in the wrong order",
      broken((store) => ({ getMany: (keys) => keys.map((key) => store.get(key)).reverse() })),
      "gives many entries in the order of the keys",
    ],
    [
      "takes empty text for nothing",
      broken((store) => ({ get: (key) => store.get(key) || undefined })),
      "gives back the text it was given",
    ],
    [
      "takes seconds for milliseconds",
      broken((store) => ({ set: (key, text, ttlMs = 1e15) => store.set(key, text, ttlMs / 1e9) })),
      "expires to the millisecond",
    ],
    [
      "expires what has no time to live",
      broken((store) => ({ set: (key, text, ttlMs) => store.set(key, text, ttlMs ?? 0) })),
      "expires to the millisecond",
    ],
    [
      "keeps the time to live of an entry that is replaced",
      broken((store) => comparing(store, true)),
      "compares and sets, if supported",
    ],
  ])("fails a store that %s", async (_what, createStore, test) => {
    expect(await findFailures(createStore)).toContain(test);
  });
});
