import { afterEach, describe, expect, test, vi } from "vitest";
import type { LockStore } from "../../src/lock/lock-store.ts";
import { Locks } from "../../src/lock/locks.ts";
import { MemoryLockStore } from "../../src/lock/memory-lock-store.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { expectGrowingTokens } from "../support/fencing-tokens.ts";
import { expectSeparateLocks } from "../support/hostile-names.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

afterEach(() => void vi.restoreAllMocks());

describe("locks in memory", () => {
  function createStore() {
    const clock = { now: 1000 };
    return { clock, store: new MemoryLockStore({ now: () => clock.now }) };
  }

  test("are renewed and released by their owner alone", () => {
    const { clock, store } = createStore();
    expect([store.renew("import", "a", 100), store.release("import", "a")]).toEqual([false, false]);
    expect(store.acquire("import", "a", 100)).toBe(1_000_000);
    expect([store.renew("import", "b", 100), store.release("import", "b")]).toEqual([false, false]);
    clock.now += 99;
    expect(store.acquire("import", "b", 100)).toBeUndefined();
    expect(store.renew("import", "a", 100)).toBe(true);
    clock.now += 99;
    expect(store.acquire("import", "b", 100)).toBeUndefined();
    expect(store.release("import", "a")).toBe(true);
    expect(store.acquire("import", "b", 100)).toBe(1_198_000);
  });

  test("are free at the end of their time to live, also for their owner", () => {
    const { clock, store } = createStore();
    store.acquire("import", "a", 100);
    clock.now += 100;
    expect([store.renew("import", "a", 100), store.release("import", "a")]).toEqual([false, false]);
    expect(store.acquire("import", "b", 100)).toBe(1_100_000);
  });

  test("have tokens that grow, also with the next process and after the clock was set back", async () => {
    const { clock, store } = createStore();
    await expectGrowingTokens(store, () => {
      clock.now += 1;
      return new MemoryLockStore({ now: () => clock.now });
    });
    const before = store.acquire("import", "a", 100) ?? Number.NaN;
    store.release("import", "a");
    clock.now = 0.5;
    expect(store.acquire("import", "b", 100)).toBe(before + 1);
  });

  test("of any names are separate", async () => {
    await expectSeparateLocks(new MemoryLockStore());
  });

  test("are removed from a thousand on, if they have expired", () => {
    const { clock, store } = createStore();
    for (let index = 0; index < 500; index += 1) store.acquire(`short ${index}`, "a", 100);
    for (let index = 0; index < 500; index += 1) store.acquire(`long ${index}`, "a", 101);
    clock.now += 100;
    expect(store.size).toBe(1000);
    store.acquire("one more", "a", 100);
    expect(store.size).toBe(501);
    expect(store.acquire("long 0", "b", 100)).toBeUndefined();
  });
});

function createLocks(store: Partial<LockStore> = {}) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const memory = new MemoryLockStore({ now: () => clock.now() });
  const complete: LockStore = {
    acquire: (...args) => memory.acquire(...args),
    renew: (...args) => memory.renew(...args),
    release: (...args) => memory.release(...args),
    ...store,
  };
  return { clock, logger, memory, locks: new Locks(complete, logger, clock) };
}

describe("a lock", () => {
  test.each([
    [0, 50],
    [0.5, 150],
    [0.999_999, 250],
  ])("is asked for again after a random pause: %d of it is %d ms", async (random, pauseMs) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    const asked: number[] = [];
    const start = new FakeClock().now();
    const { locks, clock } = createLocks({
      acquire: () => void asked.push(clock.now() - start) as undefined,
    });
    const waiting = locks.acquire("import", { waitMs: 400 });
    await clock.advance(400);
    expect(await waiting).toBeUndefined();
    const expected = Array.from(
      { length: Math.ceil(400 / pauseMs) },
      (_, index) => index * pauseMs,
    );
    expect(asked.map(Math.round)).toEqual([...expected, 400]);
  });

  test("is no longer waited for after an abort, which leaves no timer and no listener", async () => {
    const { locks, clock, memory } = createLocks();
    memory.acquire("import", "other", 60_000);
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, "addEventListener");
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    const waiting = locks.acquire("import", { waitMs: 60_000, signal: controller.signal });
    const result = expect(waiting).rejects.toThrow("enough");
    await clock.advance(1000);
    controller.abort(new Error("enough"));
    await result;
    expect(clock.pendingTimers).toBe(0);
    expect(added.mock.calls.length).toBeGreaterThan(1);
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    );
  });

  test("that is lost says so in its signal and in the log", async () => {
    const { locks, clock, logger } = createLocks({ renew: () => false });
    const lock = await locks.acquire("import", { ttlMs: 3000 });
    await clock.advance(1000);
    const message = 'The lock "import" was lost before it was released.';
    expect(lock?.signal.reason).toMatchObject({ name: "AbortError", message });
    expect(logger.lines).toEqual([{ level: "error", message, lock: "import" }]);
  });

  test("that is lost because the store fails has the failure in the log", async () => {
    const { locks, clock, logger } = createLocks({
      renew: () => Promise.reject(new Error("away")),
    });
    const lock = await locks.acquire("import", { ttlMs: 3000 });
    await clock.advance(3000);
    expect(lock?.signal.aborted).toBe(true);
    expect(logger.lines.at(-1)).toMatchObject({
      level: "error",
      lock: "import",
      error: { message: expect.stringContaining("away") },
    });
    expect(logger.lines[0]).toMatchObject({ message: "A call of the lock store failed." });
  });

  test("is renewed after a third of its time to live, and after a tenth if that failed", async () => {
    const asked: number[] = [];
    const { locks, clock } = createLocks({
      renew: () => {
        asked.push(clock.now());
        if (asked.length === 2) throw new Error("away");
        return true;
      },
    });
    const start = clock.now();
    const lock = await locks.acquire("import", { ttlMs: 3000 });
    await clock.advance(3400);
    expect(asked.map((at) => at - start)).toEqual([1000, 2000, 2300, 3300]);
    await lock?.release();
  });

  test("that is released while it is renewed is neither lost nor renewed again", async () => {
    let answer: (isHeld: boolean) => void = () => {};
    const { locks, clock, logger } = createLocks({
      renew: () => new Promise<boolean>((resolve) => (answer = resolve)),
      release: () => true,
    });
    const lock = await locks.acquire("import", { ttlMs: 3000 });
    await clock.advance(1000);
    expect(await lock?.release()).toBe(true);
    answer(false);
    await clock.advance(10_000);
    expect([lock?.signal.aborted, logger.lines, clock.pendingTimers]).toEqual([false, [], 0]);
  });

  test.each([
    ["acquire", "acquire() must return an integer or undefined, got 1.5."],
    ["release", 'release() must return true or false, got "yes".'],
  ])("is a failure of the store if %s returns something else", async (method, message) => {
    const { locks } = createLocks({ [method]: () => (method === "acquire" ? 1.5 : "yes") });
    const use = async (): Promise<void> => void (await (await locks.acquire("import"))?.release());
    await expect(use()).rejects.toMatchObject({ code: "ERR_STORE_FAILED", cause: { message } });
  });

  test("that may have been taken by a call that failed is released", async () => {
    const release = vi.fn(() => true);
    const { locks } = createLocks({ acquire: () => Promise.reject(new Error("away")), release });
    await expect(locks.acquire("import")).rejects.toMatchObject({ code: "ERR_STORE_FAILED" });
    expect(release).toHaveBeenCalledWith("import", expect.any(String));
  });

  test.each(["acquire", "release"] as const)(
    "is free soon after a store returns that failed during %s",
    async (method) => {
      let isFailing = false;
      const answer = async <Result>(result: Result): Promise<Result> => {
        if (isFailing) throw new Error("connection lost");
        return await result;
      };
      const { locks, clock, memory } = createLocks({
        async acquire(...args) {
          const token = memory.acquire(...args);
          // The reply is lost, and not the command.
          return await answer(token);
        },
        release: async (...args) => await answer(isFailing || memory.release(...args)),
      });
      const lock = method === "release" ? await locks.acquire("import") : undefined;
      isFailing = true;
      const failed = method === "release" ? lock?.release() : locks.acquire("import");
      await expect(failed).rejects.toMatchObject({ code: "ERR_STORE_FAILED" });
      await clock.advance(5_000);
      isFailing = false;
      expect(await locks.acquire("import")).toBeUndefined();
      await clock.advance(2_000);
      expect(await locks.acquire("import")).toBeDefined();
    },
  );

  test("is free soon after a store is back that hung during release", async () => {
    let isHanging = false;
    const { locks, clock, memory } = createLocks({
      release: (...args) => (isHanging ? new Promise(() => {}) : memory.release(...args)),
    });
    const lock = await locks.acquire("import");
    isHanging = true;
    const failed = expect(lock?.release()).rejects.toMatchObject({ code: "ERR_STORE_TIMEOUT" });
    await clock.advance(5_000);
    await failed;
    isHanging = false;
    await clock.advance(3_000);
    expect(await locks.acquire("import")).toBeDefined();
  });

  test("is released by one of many holders at a time of its own after their store has failed", async () => {
    const triedAtMs = new Map<string, number[]>();
    const { locks, clock } = createLocks({
      release: (name) => {
        triedAtMs.set(name, [...(triedAtMs.get(name) ?? []), clock.now()]);
        throw new Error("connection lost");
      },
    });
    const held = await Promise.all(["a", "b"].map((name) => locks.acquire(name)));
    for (const lock of held) await expect(lock?.release()).rejects.toThrow("connection lost");
    await clock.advance(10_000);
    // The caller's own try and the first of the background are made at once.
    const [one = [], other = []] = [...triedAtMs.values()].map((times) => times.slice(2));
    expect(one.length).toBeGreaterThan(4);
    expect(one.filter((time) => other.includes(time))).toEqual([]);
  });

  test("is not released any more once it has expired", async () => {
    const release = vi.fn(() => Promise.reject(new Error("connection lost")));
    const { locks, clock } = createLocks({ release });
    const lock = await locks.acquire("import", { ttlMs: 3_000 });
    await expect(lock?.release()).rejects.toMatchObject({ code: "ERR_STORE_FAILED" });
    await clock.advance(3_000);
    const calls = release.mock.calls.length;
    expect(calls).toBeGreaterThan(3);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(60_000);
    expect(release).toHaveBeenCalledTimes(calls);
  });

  test("has a name of at most 256 characters", async () => {
    const { locks } = createLocks();
    expect(await locks.acquire("a".repeat(256))).toBeDefined();
    await expect(locks.acquire("a".repeat(257))).rejects.toThrow(
      'The option "name" of lock() must be a string of 1 to 256 characters',
    );
  });

  test("has a name for the store without NUL and lone surrogates", async () => {
    const names: string[] = [];
    const { locks } = createLocks({
      acquire: (name) => names.push(name),
      renew: (name) => names.push(name) > 0,
      release: (name) => names.push(name) > 0,
    });
    const lock = await locks.acquire("a\0\ud800\ufffd🚀ü");
    await lock?.release();
    expect(lock?.name).toBe("a\0\ud800\ufffd🚀ü");
    expect(names).toEqual(Array(2).fill("a\ufffd0000\ufffdd800\ufffdfffd🚀ü"));
  });

  test("has these options alone", async () => {
    const { locks } = createLocks();
    const { signal } = new AbortController();
    expect(await locks.acquire("import", { ttlMs: 100, waitMs: 0, signal })).toBeDefined();
  });
});

test("of all claims of a name, one succeeds in its time", async () => {
  const { locks, clock } = createLocks();
  expect([await locks.claim("digest", 1000), await locks.claim("digest", 1000)]).toEqual([
    true,
    false,
  ]);
  await clock.advance(1000);
  expect(await locks.claim("digest", 1000)).toBe(true);
});
