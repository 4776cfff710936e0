import { Application, type LockOptions, type LockStore, MemoryLockStore } from "espalier";
import { describe, expect, test } from "vitest";
import { Locks } from "../../src/lock/locks.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

function createLocks(store?: LockStore) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const memory = new MemoryLockStore({ now: () => clock.now() });
  return { clock, logger, locks: new Locks(store ?? memory, logger, clock), memory };
}

describe("a lock", () => {
  test("has one holder, and is free after its release", async () => {
    const { locks } = createLocks();
    const first = await locks.acquire("import");
    expect(await locks.acquire("import")).toBeUndefined();
    expect(await locks.acquire("export")).toBeDefined();
    expect(await first?.release()).toBe(true);
    const second = await locks.acquire("import");
    expect(second?.fencingToken).toBeGreaterThan(first?.fencingToken ?? Number.POSITIVE_INFINITY);
    expect(await first?.release()).toBe(true);
    expect(await locks.acquire("import")).toBeUndefined();
  });

  test("is renewed while it is held, and expires without renewal", async () => {
    const { locks, clock, memory } = createLocks();
    const lock = await locks.acquire("import", { ttlMs: 3000 });
    await clock.advance(60_000);
    expect(await locks.acquire("import")).toBeUndefined();
    expect(lock?.signal.aborted).toBe(false);
    await lock?.release();
    expect(clock.pendingTimers).toBe(0);

    memory.acquire("import", "a process that died", 3000);
    await clock.advance(2999);
    expect(await locks.acquire("import")).toBeUndefined();
    await clock.advance(1);
    expect(await locks.acquire("import")).toBeDefined();
  });

  test("is waited for", async () => {
    const { locks, clock } = createLocks();
    const held = await locks.acquire("import");
    const waiting = locks.acquire("import", { waitMs: 5000 });
    await clock.advance(2000);
    await held?.release();
    await clock.advance(300);
    expect(await waiting).toBeDefined();

    const begun = clock.now();
    const inVain = locks.acquire("import", { waitMs: 5000 });
    await clock.advance(5000);
    expect(await inVain).toBeUndefined();
    expect(clock.now() - begun).toBe(5000);
  });

  test("is no longer waited for once the signal is aborted", async () => {
    const { locks, clock } = createLocks();
    await locks.acquire("import");
    const controller = new AbortController();
    const waiting = locks.acquire("import", { waitMs: 60_000, signal: controller.signal });
    const result = expect(waiting).rejects.toThrow("enough");
    await clock.advance(1000);
    controller.abort(new Error("enough"));
    await result;
  });

  test("that another process has taken is lost: its signal is aborted, and the loss is logged", async () => {
    const { locks, clock, memory, logger } = createLocks();
    const lock = await locks.acquire("import", { ttlMs: 3000 });
    Object.assign(memory, { renew: () => false });
    await clock.advance(1000);
    expect(lock?.signal.aborted).toBe(true);
    expect(await lock?.release()).toBe(false);
    expect(logger.lines).toEqual([expect.objectContaining({ level: "error", lock: "import" })]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("survives a store that fails for less than its time to live, and no longer", async () => {
    let isFailing = false;
    const memory = new MemoryLockStore({ now: () => clock.now() });
    const store: LockStore = {
      acquire: (...args) => memory.acquire(...args),
      release: (...args) => memory.release(...args),
      renew: async (...args) => {
        if (isFailing) throw new Error("connection refused");
        return memory.renew(...args);
      },
    };
    const { locks, clock } = createLocks(store);
    const lock = await locks.acquire("import", { ttlMs: 30_000 });
    isFailing = true;
    await clock.advance(24_000);
    isFailing = false;
    await clock.advance(60_000);
    expect(lock?.signal.aborted).toBe(false);
    isFailing = true;
    await clock.advance(45_000);
    expect(lock?.signal.aborted).toBe(true);
  });

  test("is a 503 while the store never answers, and is released if it was taken after all", async () => {
    let answer: (token: number) => void = () => {};
    const released: string[] = [];
    const store: LockStore = {
      acquire: () => new Promise<number>((resolve) => (answer = resolve)),
      renew: () => true,
      release: (name) => released.push(name) > 0,
    };
    const { locks, clock } = createLocks(store);
    const taking = locks.acquire("import");
    const result = expect(taking).rejects.toMatchObject({ code: "ERR_STORE_TIMEOUT", status: 503 });
    await clock.advance(1000);
    await result;
    answer(1);
    await clock.advance(0);
    expect(released).toEqual(["import"]);
  });

  test("is lost when the store cannot say for its time to live that it is held", async () => {
    const store: LockStore = {
      acquire: () => 1,
      renew: () => "<html>" as never,
      release: () => true,
    };
    const { locks, clock } = createLocks(store);
    const lock = await locks.acquire("import", { ttlMs: 30_000 });
    await clock.advance(29_000);
    expect(lock?.signal.aborted).toBe(false);
    await clock.advance(2_000);
    expect(lock?.signal.aborted).toBe(true);
  });

  test.each([
    [{ ttlMs: 99 }, "ttlMs"],
    [{ waitMs: -1 }, "waitMs"],
    [{ ttl: 1000 }, 'unknown option "ttl"'],
  ])("%j is refused", async (options, message) => {
    await expect(createLocks().locks.acquire("import", options as LockOptions)).rejects.toThrow(
      message,
    );
  });

  test.each(["", "a".repeat(257), undefined])("the name %j is refused", async (name) => {
    await expect(createLocks().locks.acquire(name as string)).rejects.toMatchObject({
      code: "ERR_LOCK_BAD_OPTION",
    });
  });
});

describe("an application", () => {
  test("has locks in memory, released at the end of a block", async () => {
    const app = new Application();
    {
      await using lock = await app.lock("import");
      expect(lock?.name).toBe("import");
      expect(await app.lock("import")).toBeUndefined();
    }
    const again = await app.lock("import");
    expect(again).toBeDefined();
    await again?.release();
  });

  test("uses the lock store of its choice", async () => {
    const store = new MemoryLockStore();
    const [one, other] = [new Application(), new Application()];
    one.useLockStore(store);
    other.useLockStore(store);
    const lock = await one.lock("import");
    expect(await other.lock("import")).toBeUndefined();
    await lock?.release();
  });

  test("refuses what is not a lock store", () => {
    expect(() =>
      new Application().useLockStore({ acquire: () => 1 } as unknown as LockStore),
    ).toThrow(
      expect.objectContaining({
        code: "ERR_LOCK_BAD_STORE",
        message: expect.stringMatching(/without renew/),
      }),
    );
  });
});

test("the memory of expired locks is given back", () => {
  let now = 0;
  const store = new MemoryLockStore({ now: () => now });
  for (let index = 0; index < 5000; index += 1) {
    now += 10;
    expect(store.acquire(`lock ${index}`, "owner", 1000)).toBe(now * 1000);
  }
  expect(store.size).toBeLessThanOrEqual(1100);
});
