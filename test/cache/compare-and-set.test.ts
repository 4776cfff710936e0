import { describe, expect, it, vi } from "vitest";
import type { CacheStore } from "../../src/cache/cache-store.ts";
import { EspalierError } from "../../src/errors.ts";
import { useFakeClock } from "../faults/support/describe-seam.ts";
import { createProcess, createProducer, settle } from "./support/processes.ts";
import { SharedStore } from "./support/shared-store.ts";

useFakeClock();

const minuteMs = 60_000;
const placeholder = expect.stringMatching(/^\{"e":0,"p":"[0-9a-f-]{36}","v":null\}$/);

/** Two processes over one store that compares and sets. */
function setUp() {
  const store = new SharedStore({ comparesAndSets: true });
  return { store, one: createProcess(store), other: createProcess(store) };
}

describe("remember on a store with compareAndSet", () => {
  it("stores a placeholder for at most an hour, and replaces it with the result", async () => {
    const { store, one } = setUp();
    const options = { staleMs: 50 };
    expect(await one.cache.remember("key", () => "made", 250, options)).toBe("made");
    const entry = `{"e":${Date.now() + 250},"v":"made"}`;
    expect(store.calls).toEqual([
      ["get", "key"],
      ["compareAndSet", "key", undefined, placeholder, 3_600_000],
      ["compareAndSet", "key", placeholder, entry, 300],
    ]);
    expect(store.calls[2]?.[2]).toBe(store.calls[1]?.[3]);
    expect(await one.cache.get("key")).toBe("made");
  });

  it("a key whose value is being produced is a miss for other processes", async () => {
    const { one, other } = setUp();
    const slow = createProducer<string>();
    const remembered = one.cache.remember("key", slow.produce, minuteMs);
    await settle();
    expect(await other.cache.get("key")).toBeUndefined();
    expect(await other.cache.has("key")).toBe(false);
    expect(await other.cache.getMany(["key"])).toEqual([undefined]);
    const stale = { staleMs: Number.POSITIVE_INFINITY };
    expect(await other.cache.remember("key", () => "own", minuteMs, stale)).toBe("own");
    slow.finish("made");
    expect(await remembered).toBe("made");
  });

  it("keeps the result that is stored first", async () => {
    const { one, other } = setUp();
    const slow = createProducer<string>();
    const late = one.cache.remember("key", slow.produce, minuteMs);
    await settle();
    expect(await other.cache.remember("key", () => "first", minuteMs)).toBe("first");
    slow.finish("late");
    expect(await late).toBe("late");
    expect(await other.cache.get("key")).toBe("first");
  });

  it.each([
    ["fails", () => Promise.reject(new Error("down"))],
    ["returns nothing", () => undefined],
  ])(
    "stores the result also if the producer of another process %s meanwhile",
    async (_, produce) => {
      const { one, other } = setUp();
      const slow = createProducer<string>();
      const remembered = one.cache.remember("key", slow.produce, minuteMs);
      await settle();
      await other.cache.remember<string | undefined>("key", produce, minuteMs).catch(() => {});
      await vi.advanceTimersByTimeAsync(10);
      slow.finish("made");
      expect(await remembered).toBe("made");
      expect(await one.cache.get("key")).toBe("made");
    },
  );

  it.each([
    ["deletes", "delete", undefined],
    ["sets", "set", "new"],
  ] as const)("stores nothing where another process %s the key meanwhile", async (_, act, left) => {
    const { one, other } = setUp();
    const old = createProducer<string>();
    const produced = one.cache.remember("key", old.produce, minuteMs);
    await settle();
    if (act === "set") await other.cache.set("key", "new", minuteMs);
    else await other.cache.delete("key");
    old.finish("old");
    expect(await produced).toBe("old");
    expect(await one.cache.get("key")).toBe(left);
  });

  it("returns what another process sets before the producer runs", async () => {
    const { store, one, other } = setUp();
    const gate = Promise.withResolvers<void>();
    store.before = (method) => (method === "compareAndSet" ? gate.promise : undefined);
    const produce = vi.fn(() => "unnecessary");
    const remembered = one.cache.remember("key", produce, minuteMs);
    await settle();
    await other.cache.set("key", "set", minuteMs);
    gate.resolve();
    expect(await remembered).toBe("set");
    expect(produce).not.toHaveBeenCalled();
    expect(one.eventNames()).toEqual(["cache.hit"]);
    expect(store.methods).toEqual(["get", "compareAndSet", "set", "get"]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("The source is down.")), "The source is down."],
    ["returns undefined", () => undefined, undefined],
  ])("removes the placeholder if the producer %s", async (_, produce, message) => {
    const { store, one } = setUp();
    const remembered = one.cache.remember<unknown>("key", produce, minuteMs);
    if (message === undefined) expect(await remembered).toBeUndefined();
    else await expect(remembered).rejects.toThrow(message);
    expect(store.methods).toEqual(["get", "compareAndSet", "compareAndSet"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(store.entries.get("key")).toBeUndefined();
  });

  it("keeps the platform alive until the placeholder is removed", async () => {
    const { store, one } = setUp();
    let isRemoved = false;
    store.before = async () => {
      if (store.calls.length < 3) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
      isRemoved = true;
    };
    // The caller does not wait for it.
    expect(await one.cache.remember("key", () => undefined, minuteMs)).toBeUndefined();
    const ended = Promise.all(one.work).then(() => isRemoved);
    await vi.advanceTimersByTimeAsync(100);
    expect(await ended).toBe(true);
  });

  it("returns undefined also if the placeholder cannot be removed", async () => {
    const { store, one } = setUp();
    store.before = () => {
      if (store.calls.length === 3) throw new Error("connect ECONNREFUSED");
    };
    expect(await one.cache.remember("key", () => undefined, minuteMs)).toBeUndefined();
    await Promise.all(one.work);
    expect(one.logger.lines).toMatchObject([{ message: "A call of the cache store failed." }]);
  });

  it("replaces an expired entry that the store still has, without a placeholder", async () => {
    const { store, one } = setUp();
    const expired = `{"e":${Date.now() - 1},"v":"old"}`;
    await store.set("key", expired);
    store.calls.length = 0;
    expect(await one.cache.remember("key", () => undefined, minuteMs)).toBeUndefined();
    expect(store.methods).toEqual(["get"]);
    expect(store.entries.get("key")).toBe(expired);
    await one.cache.remember("key", () => "new", minuteMs);
    expect(store.calls.slice(1)).toEqual([
      ["get", "key"],
      ["compareAndSet", "key", expired, expect.stringContaining('"new"'), minuteMs],
    ]);
    expect(await one.cache.get("key")).toBe("new");
  });

  it("replaces an entry whose tag was invalidated", async () => {
    const { store, one, other } = setUp();
    const remember = ({ cache }: typeof one, value: string) =>
      cache.remember("key", () => value, minuteMs, { tags: ["t"] });
    expect(await remember(one, "first")).toBe("first");
    await other.cache.invalidateTags(["t"]);
    expect(await remember(one, "second")).toBe("second");
    expect(await remember(other, "third")).toBe("second");
    expect(store.entries.get("key")).toContain('"v":"second"');
  });

  it.each([["made"], [undefined]])(
    "does not store the result %j for a key that changes at every attempt",
    async (value) => {
      const compareAndSet = vi.fn(async () => false);
      const store = { get: async () => undefined, set: vi.fn(), delete: vi.fn(), compareAndSet };
      const { cache } = createProcess(store);
      expect(await cache.remember("key", () => value, minuteMs)).toBe(value);
      expect(compareAndSet.mock.calls).toEqual(
        Array(3).fill(["key", undefined, placeholder, 3_600_000]),
      );
      expect(store.set).not.toHaveBeenCalled();
    },
  );

  it("writes nothing for a time to live of 0", async () => {
    const { store, one } = setUp();
    expect(await one.cache.remember("key", () => "made", 0)).toBe("made");
    expect(await one.cache.remember("key", () => "again", -1)).toBe("again");
    expect(store.methods).toEqual(["get", "get"]);
  });

  it("runs the producer, and stores nothing, if the store refuses the placeholder", async () => {
    const { store, one } = setUp();
    store.before = (method) => {
      if (method === "get") return;
      throw new EspalierError("ERR_CACHE_TOO_MANY_WRITES", "One write a second.");
    };
    expect(await one.cache.remember("a key", () => "made", minuteMs)).toBe("made");
    expect(store.methods).toEqual(["get", "compareAndSet"]);
    expect(one.logger.lines).toEqual([
      {
        level: "warn",
        message: "A cache entry could not be written.",
        key: "a key",
        error: expect.objectContaining({ message: "One write a second." }),
      },
    ]);
    expect(one.eventNames()).toEqual(["cache.miss"]);
  });
});

describe("remember on a store that parses JSON, with null for an absent key", () => {
  /** As some clients of databases do. */
  function createParsingStore() {
    const entries = new Map<string, string>();
    const store: CacheStore = {
      get: async (key) => JSON.parse(entries.get(key) ?? "null"),
      set: async (key, text) => void entries.set(key, text),
      delete: async (key) => void entries.delete(key),
    };
    const compareAndSet: CacheStore["compareAndSet"] = async (key, expected, text) => {
      if (entries.get(key) !== expected) return false;
      entries.set(key, text);
      return true;
    };
    return { entries, store, compareAndSet };
  }

  it("stores the result, and replaces an expired entry", async () => {
    const { store, compareAndSet } = createParsingStore();
    const { cache } = createProcess({ ...store, compareAndSet });
    expect(await cache.remember("key", () => "first", 1_000)).toBe("first");
    expect(await cache.get("key")).toBe("first");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await cache.remember("key", () => "second", 1_000)).toBe("second");
    expect(await cache.get("key")).toBe("second");
  });

  it("stores the result of one process with across, without compareAndSet", async () => {
    const { store } = createParsingStore();
    const lock = async () => ({ release: async () => true });
    const { cache } = createProcess(store, { lock });
    const across = { across: true };
    expect(await cache.remember("key", () => "first", minuteMs, across)).toBe("first");
    expect(await cache.remember("key", () => "second", minuteMs, across)).toBe("first");
  });

  it("reads no placeholder as a value", async () => {
    const { store, compareAndSet } = createParsingStore();
    const { cache } = createProcess({ ...store, compareAndSet });
    const slow = createProducer<string>();
    const remembered = cache.remember("key", slow.produce, minuteMs);
    await settle();
    expect(await cache.get("key")).toBeUndefined();
    slow.finish("made");
    expect(await remembered).toBe("made");
  });
});
