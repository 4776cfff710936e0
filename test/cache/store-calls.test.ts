import { describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { EspalierError } from "../../src/errors.ts";
import { useFakeClock } from "../faults/support/describe-seam.ts";
import { createProcess, createProducer, settle } from "./support/processes.ts";
import { SharedStore } from "./support/shared-store.ts";

useFakeClock();

const minuteMs = 60_000;

/** A store in memory whose methods are spies. */
function createSpyStore() {
  const entries = new Map<string, string>();
  return {
    entries,
    get: vi.fn((key: string) => entries.get(key)),
    set: vi.fn((key: string, text: string, _ttlMs?: number) => void entries.set(key, text)),
    delete: vi.fn((key: string) => void entries.delete(key)),
    clear: vi.fn(() => entries.clear()),
    clearPrefix: vi.fn((prefix: string) => {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
    }),
  };
}

describe("keys in the store", () => {
  it.each([
    ["plain", "plain"],
    ["A:b.c-d_9", "A:b.c-d_9"],
    ["", "%"],
    [".", "%2E"],
    ["..", "%2E%2E"],
    ["...", "..."],
    ["a b", "a%20b"],
    ["a/b", "a%2Fb"],
    ["50%", "50%25"],
    ["~", "%7E"],
    ["\n", "%0A"],
    ["é", "%C3%A9"],
    ["👍", "%F0%9F%91%8D"],
    ["\ud83d", "%uD83D"],
    ["k".repeat(240), "k".repeat(240)],
    // The SHA-256 of 241 times "k".
    ["k".repeat(241), expect.stringMatching(/^~[0-9a-f]{64}$/)],
  ])("of %j are %j", async (key, storeKey) => {
    const store = createSpyStore();
    await new Cache({ store }).set(key, 1);
    expect([...store.entries.keys()]).toEqual([storeKey]);
  });

  it("too long for the store are remembered, read and deleted like others", async () => {
    const store = createSpyStore();
    const cache = new Cache({ store });
    const key = "é".repeat(300);
    const producer = vi.fn(() => "made");
    expect(await cache.remember(key, producer, minuteMs)).toBe("made");
    expect(await cache.remember(key, producer, minuteMs)).toBe("made");
    expect(producer).toHaveBeenCalledTimes(1);
    expect(await cache.get(key)).toBe("made");
    expect([...store.entries.keys()]).toEqual([expect.stringMatching(/^~[0-9a-f]{64}$/)]);
    await cache.delete(key);
    expect(store.entries.size).toBe(0);
  });
});

describe("a store in memory", () => {
  it("is called synchronously", () => {
    const store = createSpyStore();
    const cache = new Cache({ store });
    void cache.set("key", "value");
    expect(store.set).toHaveBeenCalledTimes(1);
    void cache.get("key");
    expect(store.get).toHaveBeenCalledTimes(1);
    void cache.remember("key", () => "other");
    expect(store.get).toHaveBeenCalledTimes(2);
    void cache.delete("key");
    expect(store.delete).toHaveBeenCalledTimes(1);
  });

  it("serves a hit of remember without work in the background", async () => {
    const { cache, work } = createProcess(new MemoryCacheStore());
    await cache.set("key", "value");
    expect(await cache.remember("key", () => "other")).toBe("value");
    expect(work).toEqual([]);
  });

  it("keeps the platform alive while a producer runs, and this work never fails", async () => {
    const { cache, work } = createProcess(new MemoryCacheStore());
    const failing = createProducer<string>();
    const remembered = cache.remember("key", failing.produce);
    await settle();
    expect(work).toHaveLength(1);
    failing.fail(new Error("The source is down."));
    await expect(remembered).rejects.toThrow("The source is down.");
    await expect(Promise.all(work)).resolves.toHaveLength(1);
  });

  it("leaves no timer behind when a caller has waited for another one", async () => {
    const { cache } = createProcess(new MemoryCacheStore());
    const slow = createProducer<string>();
    const callers = [cache.remember("key", slow.produce), cache.remember("key", slow.produce)];
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    slow.finish("made");
    expect(await Promise.all(callers)).toEqual(["made", "made"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("properties of the store in use", () => {
  it.each([
    ["a memory store", new MemoryCacheStore(), [true, false]],
    ["a Map", new Map<string, unknown>(), [false, false]],
    [
      "an eventually consistent store",
      new SharedStore({ isEventuallyConsistent: true }),
      [false, true],
    ],
    [
      "a store with other values",
      { ...createSpyStore(), evicts: 1, isEventuallyConsistent: 1 },
      [false, false],
    ],
  ])("are those of %s", (_, store, expected) => {
    const cache = new Cache({ store: store as never });
    expect([cache.evicts, cache.isEventuallyConsistent]).toEqual(expected);
  });
});

describe("calls of the store", () => {
  it("set with a time to live of 0 and undefined delete the key", async () => {
    const store = createSpyStore();
    const cache = new Cache({ store });
    await cache.set("a", 1, 0);
    await cache.set("b", undefined);
    expect(store.delete.mock.calls).toEqual([["a"], ["b"]]);
    expect(store.set).not.toHaveBeenCalled();
  });

  it("remember with a time to live of 0 writes nothing", async () => {
    const store = createSpyStore();
    const cache = new Cache({ store });
    expect(await cache.remember("key", () => "made", 0)).toBe("made");
    expect(store.set).not.toHaveBeenCalled();
  });

  it("getMany of no keys makes none", async () => {
    const getMany = vi.fn(() => []);
    const cache = new Cache({ store: { ...createSpyStore(), getMany } });
    expect(await cache.getMany([])).toEqual([]);
    expect(getMany).not.toHaveBeenCalled();
  });

  it.each([
    ["too few", ["text"]],
    ["too many", ["text", undefined, undefined]],
    ["no list", { a: "text" }],
  ])("getMany asks key by key if the store returns %s", async (_, result) => {
    const store = createSpyStore();
    const cache = new Cache({ store: { ...store, getMany: () => result } });
    await cache.set("a", 1);
    await cache.set("b", 2);
    expect(await cache.getMany(["b", "a"])).toEqual([2, 1]);
  });

  it("clear clears the whole store, and that of a namespace its prefix", async () => {
    const store = createSpyStore();
    const cache = new Cache({ store });
    await cache.namespace("a").clear();
    expect(store.clearPrefix.mock.calls).toEqual([["a~"]]);
    expect([store.clear.mock.calls.length, store.set.mock.calls.length]).toEqual([0, 0]);
    await cache.clear();
    expect(store.clear).toHaveBeenCalledTimes(1);
    expect(store.clearPrefix).toHaveBeenCalledTimes(1);
  });

  it("clear clears a store that has only this method, or only clearPrefix", async () => {
    const map = new Map<string, unknown>();
    const cache = new Cache({ store: map });
    await cache.set("key", 1);
    await cache.clear();
    expect(map.size).toBe(0);
    const { clear: _, ...store } = createSpyStore();
    const other = new Cache({ store });
    await other.set("key", 1);
    await other.clear();
    expect(store.entries.size).toBe(0);
    expect(store.clearPrefix.mock.calls).toEqual([[""]]);
  });

  it.each([
    ["the whole cache", (cache: Cache) => cache],
    ["a namespace", (cache: Cache) => cache.namespace("a")],
  ])("clear of %s has 30 times as long as other calls", async (_, partOf) => {
    const never = () => new Promise<never>(() => {});
    const store = { ...createSpyStore(), clear: never, clearPrefix: never };
    const outcomes: unknown[] = [];
    const cache = partOf(new Cache({ store, timeoutMs: 100 }));
    cache.clear().catch((error: unknown) => outcomes.push(error));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toMatchObject([
      {
        code: "ERR_STORE_TIMEOUT",
        message: expect.stringContaining("did not respond within 3000 ms"),
      },
    ]);
  });
});

describe("a store that fails under remember", () => {
  it("with an exception is not written to", async () => {
    const store = createSpyStore();
    store.get.mockImplementation(() => {
      throw new Error("closed");
    });
    const { cache, eventNames } = createProcess(store);
    expect(await cache.remember("key", () => "made", minuteMs)).toBe("made");
    expect(store.set).not.toHaveBeenCalled();
    expect(eventNames()).toEqual(["cache.miss"]);
  });

  it("because of the key is logged with the key", async () => {
    const store = new SharedStore();
    store.before = () => {
      throw new EspalierError("ERR_CACHE_BAD_KEY", "This store has short keys.");
    };
    const { cache, logger } = createProcess(store);
    expect(await cache.remember("a key", () => "made", minuteMs)).toBe("made");
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: "A cache entry could not be read.",
        key: "a key",
        error: expect.objectContaining({ message: "This store has short keys." }),
      },
    ]);
    expect(store.methods).toEqual(["get"]);
  });
});

describe("what others have stored", () => {
  it.each([
    [{ e: 5 }, { e: 5 }],
    [{ e: null }, { e: null }],
    [{ v: 1 }, { v: 1 }],
    [
      { e: "soon", v: 1 },
      { e: "soon", v: 1 },
    ],
    [7, 7],
    ['{"e":5}', undefined],
    ['{"e":"soon","v":1}', undefined],
    ['{"e":null,"v":1', undefined],
  ])("%j is read as %j", async (stored, value) => {
    const cache = new Cache({ store: new Map<string, unknown>([["key", stored]]) });
    expect(await cache.get("key")).toEqual(value);
  });

  it("a value with the fields of an entry is a value", async () => {
    const cache = new Cache({ store: new MemoryCacheStore() });
    const value = { e: 1, g: { "~t~a": "b" }, v: 1 };
    await cache.set("key", value);
    expect(await cache.get("key")).toEqual(value);
  });
});
