import { Application } from "espalier";
import { describe, expect, it, vi } from "vitest";
import type { CacheLock } from "../../src/cache/wait-for-turn.ts";
import { MemoryLockStore } from "../../src/lock/memory-lock-store.ts";
import { useFakeClock } from "../faults/support/describe-seam.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import {
  changesOfAnother,
  createProcess,
  createProducer,
  createSlowProducer,
  rememberDuring,
  SharedLocks,
  settle,
} from "./support/processes.ts";
import { SharedStore, type SharedStoreOptions } from "./support/shared-store.ts";

useFakeClock();

const across = { across: true };
const minuteMs = 60_000;

/** Two processes over one store and one lock store. */
function setUp(options: SharedStoreOptions & { producerWaitMs?: number } = {}) {
  const { producerWaitMs = 30_000, ...storeOptions } = options;
  const store = new SharedStore(storeOptions);
  const locks = new SharedLocks();
  const start = () => createProcess(store, { lock: (name) => locks.take(name), producerWaitMs });
  return { store, locks, one: start(), other: start() };
}

const stores: [string, SharedStoreOptions][] = [
  ["a store with compareAndSet", { comparesAndSets: true }],
  ["a store without compareAndSet", {}],
];

describe.each(stores)("remember with across on %s", (_, options) => {
  it("runs one producer for all callers of two processes", async () => {
    const { store, locks, one, other } = setUp(options);
    let calls = 0;
    const produce = createSlowProducer(100, () => ({ call: ++calls }));
    const callers = [one, other, one, other].map(({ cache }) =>
      cache.remember("report", produce, minuteMs, across),
    );
    await vi.advanceTimersByTimeAsync(500);
    expect(await Promise.all(callers)).toEqual(Array(4).fill({ call: 1 }));
    expect(produce).toHaveBeenCalledTimes(1);
    expect(one.eventNames()).toEqual(["cache.miss", "cache.miss"]);
    expect(other.eventNames()).toEqual(["cache.hit", "cache.hit"]);
    expect(JSON.parse(String(store.entries.get("report"))).v).toEqual({ call: 1 });
    expect(locks.held).toEqual([]);
    expect([one.logger.lines, other.logger.lines]).toEqual([[], []]);
  });

  it("locks under the key of the store, which contains the namespace", async () => {
    const { locks, one } = setUp(options);
    await one.cache.namespace("books").remember("list", () => 1, minuteMs, across);
    expect(locks.attempts.map(({ name }) => name)).toEqual(["remember:books~list"]);
  });

  it("holds the lock while the producer runs, and releases it afterwards", async () => {
    const { locks, one } = setUp(options);
    const heldMeanwhile = await one.cache.remember("key", () => [...locks.held], minuteMs, across);
    expect(heldMeanwhile).toEqual(["remember:key"]);
    await Promise.all(one.work);
    expect(locks.held).toEqual([]);
  });

  it("waits with growing pauses while another process produces", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.2);
    const { locks, one, other } = setUp(options);
    const slow = createProducer<string>();
    const produced = one.cache.remember("key", slow.produce, minuteMs, across);
    await settle();
    locks.attempts.length = 0;
    const found = other.cache.remember("key", () => "unnecessary", minuteMs, across);
    await vi.advanceTimersByTimeAsync(500);
    // 60 % of 20, 40, 80, 160, 250 and 250 ms.
    expect(locks.attempts.map(({ atMs }) => atMs)).toEqual([0, 12, 36, 84, 180, 330, 480]);
    slow.finish("produced");
    await vi.advanceTimersByTimeAsync(250);
    expect(await Promise.all([produced, found])).toEqual(["produced", "produced"]);
    vi.restoreAllMocks();
  });

  it("runs its own producer after producerWaitMs, and the later result is not stored", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.2);
    const { locks, one, other } = setUp({ ...options, producerWaitMs: 100 });
    const slow = createProducer<string>();
    const late = one.cache.remember("key", slow.produce, minuteMs, across);
    await settle();
    locks.attempts.length = 0;
    const own = createProducer<string>();
    const waiting = other.cache.remember("key", own.produce, minuteMs, across);
    await vi.advanceTimersByTimeAsync(99);
    expect(own.produce).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(own.produce).toHaveBeenCalledTimes(1);
    expect(locks.attempts.map(({ atMs }) => atMs)).toEqual([0, 12, 36, 84, 100]);
    own.finish("own");
    expect(await waiting).toBe("own");
    expect(other.eventNames()).toEqual(["cache.miss"]);
    slow.finish("late");
    expect(await late).toBe("late");
    expect(await one.cache.get("key")).toBe("own");
    vi.restoreAllMocks();
  });

  it("returns what another process sets while a third one holds the lock", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.2);
    const { store, one, other } = setUp(options);
    const slow = createProducer<string>();
    const late = one.cache.remember("key", slow.produce, minuteMs, across);
    await settle();
    store.calls.length = 0;
    const produce = vi.fn(() => "unnecessary");
    const waiting = other.cache.remember("key", produce, minuteMs, across);
    await settle();
    await one.cache.set("key", "set", minuteMs);
    await vi.advanceTimersByTimeAsync(250);
    expect(await waiting).toBe("set");
    expect(produce).not.toHaveBeenCalled();
    expect(other.logger.lines).toEqual([]);
    // The lookup and two attempts to take the lock, of which the second finds it.
    expect(store.methods).toEqual(["get", "get", "set", "get"]);
    slow.finish("late");
    expect(await late).toBe("late");
    expect(await other.cache.get("key")).toBe("set");
    vi.restoreAllMocks();
  });

  it.each(changesOfAnother)(
    "stores nothing where another process %s the key meanwhile",
    async (_, act, left) => {
      const { one, other } = setUp(options);
      expect(await rememberDuring(act, one.cache, other.cache, across)).toBe("old");
      expect(await one.cache.get("key")).toBe(left);
      expect(await other.cache.get("key")).toBe(left);
    },
  );

  it("returns what another process sets between the read and the producer", async () => {
    const { store, one, other } = setUp(options);
    const gate = Promise.withResolvers<void>();
    let reads = 0;
    store.before = (method) => {
      if (method === "get") reads += 1;
      // The lookup and the read under the lock find nothing.
      const isClaim = method === "compareAndSet" || (method === "get" && reads === 3);
      return isClaim ? gate.promise : undefined;
    };
    const produce = vi.fn(() => "unnecessary");
    const remembered = one.cache.remember("key", produce, minuteMs, across);
    await settle();
    store.before = () => {};
    await other.cache.set("key", "set", minuteMs);
    gate.resolve();
    expect(await remembered).toBe("set");
    expect(produce).not.toHaveBeenCalled();
    expect(one.eventNames()).toEqual(["cache.hit"]);
  });

  it("passes an error to the callers of its process, and the other process tries", async () => {
    const { locks, one, other } = setUp(options);
    const failing = createSlowProducer(50, () => {
      throw new Error("The source is down.");
    });
    const failed = Promise.allSettled([
      one.cache.remember("key", failing, minuteMs, across),
      one.cache.remember("key", failing, minuteMs, across),
    ]);
    await settle();
    const remembered = other.cache.remember("key", () => "second", minuteMs, across);
    await vi.advanceTimersByTimeAsync(500);
    expect(await failed).toMatchObject(
      Array(2).fill({ status: "rejected", reason: { message: "The source is down." } }),
    );
    expect(await remembered).toBe("second");
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await one.cache.get("key")).toBe("second");
    expect(locks.held).toEqual([]);
  });

  it("stores the result of a process that reads the placeholder of one that has just failed", async () => {
    const { one, other } = setUp(options);
    const failing = () => Promise.reject(new Error("The source is down."));
    const failed = one.cache.remember("key", failing, minuteMs, across);
    await expect(failed).rejects.toThrow("The source is down.");
    const remembered = other.cache.remember(
      "key",
      createSlowProducer(50, () => "second"),
      minuteMs,
      across,
    );
    await vi.advanceTimersByTimeAsync(50);
    expect(await remembered).toBe("second");
    expect(await one.cache.get("key")).toBe("second");
  });

  it("stores no undefined, and the other process tries", async () => {
    const { locks, one, other } = setUp(options);
    const absent = createSlowProducer(50, () => undefined);
    const first = one.cache.remember("key", absent, minuteMs, across);
    await settle();
    const second = other.cache.remember("key", absent, minuteMs, across);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    expect(absent).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await one.cache.has("key")).toBe(false);
    expect(locks.held).toEqual([]);
  });

  it("with a time to live of 0 runs one producer at a time, and writes nothing", async () => {
    const { store, one, other } = setUp(options);
    let running = 0;
    let most = 0;
    const produce = vi.fn(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 50));
      running -= 1;
      return "made";
    });
    const callers = [one, other].map(({ cache }) => cache.remember("key", produce, 0, across));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(callers)).toEqual(["made", "made"]);
    expect([produce.mock.calls.length, most]).toEqual([2, 1]);
    expect(new Set(store.methods)).toEqual(new Set(["get"]));
  });

  it("keeps the result of the process that stores first if a lock expires", async () => {
    const { one, other } = setUp(options);
    const slow = createProducer<string>();
    const late = one.cache.remember("key", slow.produce, undefined, across);
    // The lock expires after a minute.
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(await other.cache.remember("key", () => "quick", undefined, across)).toBe("quick");
    slow.finish("late");
    expect(await late).toBe("late");
    expect(await other.cache.get("key")).toBe("quick");
  });

  it("refreshes a stale value in one process, and both serve it meanwhile", async () => {
    const { one, other } = setUp(options);
    const stale = { staleMs: minuteMs, across: true };
    await one.cache.remember("key", () => "first", 1_000, stale);
    await vi.advanceTimersByTimeAsync(2_000);
    const second = createProducer<string>();
    const remember = ({ cache }: typeof one) => cache.remember("key", second.produce, 1_000, stale);
    for (const process of [one, other, one, other]) {
      expect(await remember(process)).toBe("first");
      await settle();
    }
    expect(second.produce).toHaveBeenCalledTimes(1);
    second.finish("second");
    await Promise.all([...one.work, ...other.work]);
    expect(await remember(other)).toBe("second");
    expect(second.produce).toHaveBeenCalledTimes(1);
    expect([one.logger.lines, other.logger.lines]).toEqual([[], []]);
  });

  it("does not serve a stale value to a caller that accepts none, while another process refreshes", async () => {
    const { store, locks, one, other } = setUp(options);
    const stale = { staleMs: minuteMs, across: true };
    await one.cache.remember("key", () => "first", 1_000, stale);
    await vi.advanceTimersByTimeAsync(2_000);
    const second = createProducer<string>();
    await one.cache.remember("key", second.produce, 1_000, stale);
    await settle();
    const gate = Promise.withResolvers<void>();
    let reads = 0;
    store.before = () => {
      reads += 1;
      // The refresh of the other process reads after its lookup.
      return reads === 2 ? gate.promise : undefined;
    };
    const third = vi.fn(() => "third");
    expect(await other.cache.remember("key", third, 1_000, stale)).toBe("first");
    const exact = other.cache.remember("key", third, 1_000, across);
    await settle();
    gate.resolve();
    await settle();
    second.finish("second");
    await vi.advanceTimersByTimeAsync(250);
    expect(await exact).toBe("second");
    expect(third).not.toHaveBeenCalled();
    expect(locks.held).toEqual([]);
  });
});

describe("a lock store that fails", () => {
  it("is logged and bypassed", async () => {
    const store = new SharedStore();
    const { cache, logger } = createProcess(store, {
      lock: () => Promise.reject(new Error("connect ECONNREFUSED")),
    });
    expect(await cache.remember("a key", () => "made", minuteMs, across)).toBe("made");
    expect(await cache.get("a key")).toBe("made");
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: "A cache entry could not be locked.",
        key: "a key",
        error: expect.objectContaining({ message: "connect ECONNREFUSED" }),
      },
    ]);
  });

  it("does not fail or delay callers when it cannot release", async () => {
    for (const release of [
      () => Promise.reject(new Error("gone")),
      () => new Promise<never>(() => {}),
    ]) {
      const { cache } = createProcess(new SharedStore(), { lock: async () => ({ release }) });
      expect(await cache.remember("key", () => "made", minuteMs, across)).toBe("made");
      expect(await cache.remember("key", () => "again", minuteMs, across)).toBe("made");
    }
  });

  it("delays the callers of an application until its deadline when it hangs", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    const locks = new MemoryLockStore();
    let isHanging = false;
    app.useCacheStore(new SharedStore());
    app.useLockStore({
      acquire: (...args) => (isHanging ? new Promise(() => {}) : locks.acquire(...args)),
      renew: (...args) => locks.renew(...args),
      release: (...args) => locks.release(...args),
    });
    // The first use loads code, which takes real time.
    await app.cacheRemember("other", () => "made", minuteMs, across);
    isHanging = true;
    const remembered = app.cacheRemember("key", () => "made", minuteMs, across);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await remembered).toBe("made");
    expect(logger.lines).toMatchObject([
      { level: "warn", message: "A call of the lock store failed." },
    ]);
  });

  it("keeps the platform alive until the lock is released", async () => {
    let isReleased = false;
    const lock: CacheLock = {
      release: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        isReleased = true;
      },
    };
    const { cache, work } = createProcess(new SharedStore(), { lock: async () => lock });
    await cache.remember("key", () => "made", minuteMs, across);
    const ended = Promise.all(work).then(() => isReleased);
    await vi.advanceTimersByTimeAsync(100);
    expect(await ended).toBe(true);
  });
});

describe("a cache store that fails under a lock", () => {
  it("releases the lock before the producer runs", async () => {
    const { store, locks, one } = setUp();
    let reads = 0;
    store.before = () => {
      reads += 1;
      if (reads === 2) throw new Error("connect ECONNREFUSED");
    };
    const held = await one.cache.remember("key", () => [...locks.held], minuteMs, across);
    expect(held).toEqual([]);
    expect(locks.attempts).toHaveLength(1);
  });

  it("runs the producer if another process holds the lock, and logs the failure once", async () => {
    const { store, one, other } = setUp();
    const slow = createProducer<string>();
    one.cache.remember("key", slow.produce, minuteMs, across).catch(() => {});
    await settle();
    let reads = 0;
    store.before = () => {
      reads += 1;
      if (reads === 2) throw new Error("connect ECONNREFUSED");
    };
    expect(await other.cache.remember("key", () => "own", minuteMs, across)).toBe("own");
    expect(other.logger.lines).toMatchObject([
      { level: "warn", message: "A call of the cache store failed." },
    ]);
  });
});

it("across on a store without compareAndSet reads before each of its two writes", async () => {
  const { store, one } = setUp();
  expect(await one.cache.remember("key", () => "made", minuteMs, across)).toBe("made");
  // The lookup and the read under the lock, then the placeholder, then the result.
  expect(store.methods).toEqual(["get", "get", "get", "set", "get", "set"]);
});

it("across writes only the result to a store that is eventually consistent", async () => {
  const { store, one } = setUp({ isEventuallyConsistent: true });
  expect(await one.cache.remember("key", () => "made", minuteMs, across)).toBe("made");
  expect(store.calls.filter(([method]) => method !== "get")).toEqual([
    ["set", "key", expect.stringContaining('"v":"made"'), minuteMs],
  ]);
});

it("a process that waits for another one keeps running", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.2);
  const { one, other } = setUp();
  const slow = createProducer<string>();
  one.cache.remember("key", slow.produce, minuteMs, across).catch(() => {});
  await settle();
  const timers = vi.spyOn(globalThis, "setTimeout");
  other.cache.remember("key", () => "unnecessary", minuteMs, across).catch(() => {});
  await settle();
  const pause = timers.mock.calls.findIndex(([, delayMs]) => delayMs === 12);
  expect(timers.mock.results[pause]?.value.hasRef()).toBe(true);
  vi.restoreAllMocks();
});
