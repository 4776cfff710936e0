import { describe, expect, it, vi } from "vitest";
import type { CacheStore } from "../../src/cache/cache-store.ts";
import { EspalierError } from "../../src/errors.ts";
import { useFakeClock } from "../faults/support/describe-seam.ts";
import {
  changesOfAnother,
  createProcess,
  createProducer,
  rememberDuring,
  settle,
} from "./support/processes.ts";
import { SharedStore } from "./support/shared-store.ts";

useFakeClock();

const minuteMs = 60_000;
const placeholder = expect.stringMatching(/^\{"e":0,"p":"[0-9a-f-]{36}","n":1,"v":null\}$/);

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

  it.each(changesOfAnother)(
    "stores nothing where another process %s the key meanwhile",
    async (_, act, left) => {
      const { one, other } = setUp();
      expect(await rememberDuring(act, one.cache, other.cache)).toBe("old");
      expect(await one.cache.get("key")).toBe(left);
    },
  );

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
    ["returns what JSON cannot hold", () => 1n, "JSON"],
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

  it.each(changesOfAnother)(
    "stores nothing where another process %s an expired entry meanwhile",
    async (_, act, left) => {
      const { store, one, other } = setUp();
      await store.set("key", `{"e":${Date.now() - 1},"v":"expired"}`);
      expect(await rememberDuring(act, one.cache, other.cache)).toBe("old");
      expect(await one.cache.get("key")).toBe(left);
    },
  );

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
        Array(5).fill(["key", undefined, placeholder, 3_600_000]),
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

describe("a placeholder of several processes", () => {
  /** Three processes over one store, each with a producer that the test ends. */
  function setUpThree() {
    const store = new SharedStore({ comparesAndSets: true });
    const start = async () => {
      const { cache, work } = createProcess(store);
      const { produce, finish, fail } = createProducer<string>();
      const remembered = cache.remember("key", produce, minuteMs);
      remembered.catch(() => {});
      await settle();
      return { remembered, work, finish, fail: () => fail(new Error("The source is down.")) };
    };
    return { store, reader: createProcess(store).cache, start };
  }

  /** Lets a placeholder without holders expire. */
  const expire = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

  /** Delays the next compareAndSet until the returned function is called. */
  function delayNextWrite(store: SharedStore): () => void {
    const gate = Promise.withResolvers<void>();
    store.before = (method) => {
      if (method !== "compareAndSet") return;
      store.before = () => {};
      return gate.promise;
    };
    return gate.resolve;
  }

  it("is kept for one of them when the producer that it was made for fails", async () => {
    const { reader, start } = setUpThree();
    const first = await start();
    const second = await start();
    first.fail();
    await expect(first.remembered).rejects.toThrow("The source is down.");
    await expire();
    second.finish("second");
    expect(await second.remembered).toBe("second");
    expect(await reader.get("key")).toBe("second");
  });

  it.each([
    ["is about to expire", 0],
    ["has expired", 1],
  ])("is claimed also by a process that has read it before it %s", async (_, passedMs) => {
    const { store, reader, start } = setUpThree();
    const first = await start();
    const write = delayNextWrite(store);
    const second = await start();
    first.fail();
    await vi.advanceTimersByTimeAsync(passedMs);
    write();
    await expire();
    second.finish("second");
    expect(await second.remembered).toBe("second");
    expect(await reader.get("key")).toBe("second");
  });

  it("is kept for an hour after the last of them has claimed it", async () => {
    const { reader, start } = setUpThree();
    await start();
    await vi.advanceTimersByTimeAsync(59 * minuteMs);
    const second = await start();
    await vi.advanceTimersByTimeAsync(59 * minuteMs);
    second.finish("second");
    expect(await second.remembered).toBe("second");
    expect(await reader.get("key")).toBe("second");
  });

  it("is replaced by the result of the first while the others run, and theirs are not stored", async () => {
    const { store, reader, start } = setUpThree();
    const processes = [await start(), await start(), await start()] as const;
    for (const [index, { remembered, finish }] of processes.entries()) {
      finish(`result ${index}`);
      expect(await remembered).toBe(`result ${index}`);
    }
    expect(await reader.get("key")).toBe("result 0");
    expect(store.methods.filter((method) => method === "set")).toEqual([]);
  });

  it.each([[[0, 1]], [[0, 2]], [[1, 0]], [[1, 2]], [[2, 0]], [[2, 1]]])(
    "is kept for the third process when those of %j fail",
    async (failing) => {
      const { reader, start } = setUpThree();
      const processes = [await start(), await start(), await start()];
      for (const index of failing) {
        processes[index]?.fail();
        await expire();
      }
      const third = processes.find((_, index) => !failing.includes(index));
      third?.finish("third");
      expect(await third?.remembered).toBe("third");
      expect(await reader.get("key")).toBe("third");
    },
  );

  it.each([
    ["one after the other", 1],
    ["at the same time", undefined],
  ])("is removed when all of them fail %s", async (_, pauseMs) => {
    const { store, start } = setUpThree();
    const processes = [await start(), await start(), await start()];
    for (const { fail } of processes) {
      expect(store.entries.get("key")).toContain('"p":');
      fail();
      if (pauseMs !== undefined) await vi.advanceTimersByTimeAsync(pauseMs);
    }
    await settle();
    await expire();
    expect(store.entries.get("key")).toBeUndefined();
  });

  it("is not brought back by any of them after the key was deleted", async () => {
    const { store, reader, start } = setUpThree();
    const [first, second, third] = [await start(), await start(), await start()];
    await reader.delete("key");
    first.finish("first");
    second.fail();
    expect(await first.remembered).toBe("first");
    await Promise.all([...first.work, ...second.work].map((work) => work.catch(() => {})));
    third.finish("third");
    expect(await third.remembered).toBe("third");
    expect(store.entries.get("key")).toBeUndefined();
  });

  it("is not replaced by a result from before the key was deleted", async () => {
    const { reader, start } = setUpThree();
    const [old, failing] = [await start(), await start()];
    await reader.delete("key");
    const current = await start();
    old.finish("old");
    failing.fail();
    expect(await old.remembered).toBe("old");
    await expire();
    expect(await reader.get("key")).toBeUndefined();
    current.finish("current");
    expect(await current.remembered).toBe("current");
    expect(await reader.get("key")).toBe("current");
  });

  /** Changes the number of holders right before each of the next calls of compareAndSet. */
  function changeHolders(store: SharedStore, times: number): void {
    let left = times;
    store.before = (method) => {
      if (method !== "compareAndSet" || left === 0) return;
      left -= 1;
      const change = (_: string, holders: string) => `"n":${Number(holders) + 1}`;
      store.entries.set("key", String(store.entries.get("key")).replace(/"n":(\d+)/, change));
    };
  }

  it.each([
    [4, "made"],
    [5, undefined],
  ])(
    "that changes %i times while a result is stored holds %j afterwards",
    async (times, stored) => {
      const { store, reader, start } = setUpThree();
      const { remembered, finish } = await start();
      changeHolders(store, times);
      store.calls.length = 0;
      finish("made");
      expect(await remembered).toBe("made");
      expect(store.methods.filter((method) => method === "compareAndSet")).toHaveLength(5);
      expect(await reader.get("key")).toBe(stored);
    },
  );

  it.each([
    [4, "made"],
    [5, undefined],
  ])("that changes %i times while it is claimed holds %j afterwards", async (times, stored) => {
    const { store, reader, start } = setUpThree();
    await start();
    changeHolders(store, times);
    const { remembered, finish } = await start();
    expect(store.methods.filter((method) => method === "compareAndSet")).toHaveLength(1 + 5);
    finish("made");
    expect(await remembered).toBe("made");
    expect(await reader.get("key")).toBe(stored);
  });

  it("costs a process that reads it one call more", async () => {
    const { store, start } = setUpThree();
    const first = await start();
    expect(store.methods).toEqual(["get", "compareAndSet"]);
    const second = await start();
    expect(store.methods.slice(2)).toEqual(["get", "compareAndSet"]);
    second.fail();
    await settle();
    expect(store.methods.slice(4)).toEqual(["compareAndSet"]);
    first.finish("first");
    await first.remembered;
    expect(store.methods.slice(5)).toEqual(["compareAndSet"]);
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
