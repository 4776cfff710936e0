import { describe, expect, it } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import { EspalierError } from "../../src/errors.ts";
import { Random } from "../support/random.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { FaultyKv } from "./support/faulty-kv.ts";

function setUp(seed: number) {
  const clock = { now: 1_800_000_000_000 };
  const kv = new FaultyKv(() => clock.now, new Random(seed));
  const logger = createRecordingLogger();
  return { clock, kv, logger, cache: new Cache({ store: kv, now: () => clock.now, logger }) };
}

describe("a Workers KV that misbehaves", () => {
  it("never serves a value past its expiry, however stale the reads", async () => {
    const { clock, kv, cache } = setUp(1);
    kv.faults = { staleMs: 60_000 };
    const random = new Random(2);
    const writes: { value: number; expiresAtMs: number }[] = [];
    for (let step = 0; step < 3_000; step++) {
      clock.now += random.between(1, 5_000);
      if (random.chance(0.3)) {
        const ttlMs = random.between(1, 120_000);
        writes.push({ value: step, expiresAtMs: clock.now + ttlMs });
        await cache.set("key", step, ttlMs);
      }
      const value = await cache.get<number>("key");
      const write = writes.find((candidate) => candidate.value === value);
      if (value !== undefined) expect(write?.expiresAtMs).toBeGreaterThan(clock.now);
    }
  });

  it("serves deleted values for 60 seconds at most", async () => {
    const { clock, kv, cache } = setUp(3);
    kv.faults = { staleMs: 60_000 };
    await cache.set("key", "value");
    clock.now += 61_000;
    await cache.delete("key");
    const soon = await Promise.all(Array.from({ length: 50 }, () => cache.get("key")));
    expect(soon).toContain("value");
    clock.now += 60_000;
    for (let read = 0; read < 50; read++) expect(await cache.get("key")).toBeUndefined();
  });

  it("recomputes a value after a lost write", async () => {
    const { kv, cache } = setUp(4);
    kv.faults = { lostWrites: 1 };
    let calls = 0;
    for (let call = 1; call <= 3; call++) {
      expect(await cache.remember("key", () => ++calls, 60_000)).toBe(call);
    }
    kv.faults = {};
    expect(await cache.remember("key", () => ++calls, 60_000)).toBe(4);
    expect(await cache.remember("key", () => ++calls, 60_000)).toBe(4);
  });

  it("remember works without the store, and logs it", async () => {
    const { kv, logger, cache } = setUp(5);
    kv.faults = { refused: 1 };
    expect(await cache.remember("key", () => "made", 60_000)).toBe("made");
    expect(logger.lines).toMatchObject([
      {
        level: "warn",
        message: "A call of the cache store failed.",
        error: { cause: { message: expect.stringContaining('could not read "key"') } },
      },
    ]);
    expect(kv.operations.put).toBe(0);
  });

  it("remember returns undefined without the store if the producer does", async () => {
    const { kv, cache } = setUp(4);
    kv.faults = { refused: 1 };
    expect(await cache.remember("key", () => undefined, 60_000)).toBeUndefined();
  });

  it("remember always returns correct values while half of all operations fail", async () => {
    const { clock, kv, cache } = setUp(6);
    kv.faults = { staleMs: 60_000, lostWrites: 0.1, refused: 0.25, timedOut: 0.25 };
    const random = new Random(7);
    for (let round = 0; round < 500; round++) {
      clock.now += random.between(1, 10_000);
      const key = `key ${random.between(0, 9)}`;
      const callers = Array.from({ length: 5 }, () => cache.remember(key, () => key, 30_000));
      expect(await Promise.all(callers)).toEqual(Array(5).fill(key));
    }
    expect(kv.operations.get).toBeLessThanOrEqual(500);
  });

  it("get, set and delete reject on a rejection and a timeout", async () => {
    const { kv, cache } = setUp(8);
    kv.faults = { refused: 1 };
    const advice = /^Workers KV could not write "key": KV PUT failed: 429 .* once a second/;
    const refused = await cache.set("key", 1, 60_000).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EspalierError);
    expect(refused).toMatchObject({
      code: "ERR_CACHE_TOO_MANY_WRITES",
      message: expect.stringMatching(advice),
    });
    kv.faults = { timedOut: 1 };
    await expect(cache.get("key")).rejects.toMatchObject({
      name: "StoreError",
      status: 503,
      message: expect.stringMatching(
        /^The cache store failed: Workers KV could not read "key": KV GET failed: the network/,
      ),
      cause: { code: "ERR_CACHE_STORE_FAILED" },
    });
    await expect(cache.delete("key")).rejects.toThrow('could not delete "key"');
    await expect(cache.getMany(["key"])).rejects.toThrow('could not read "key"');
    await expect(cache.clear()).rejects.toThrow("could not list");
  });

  it("rejects more than 25 MiB before the request, counting bytes", async () => {
    const { kv, cache } = setUp(9);
    const limit = 25 * 1024 * 1024;
    const around = '{"e":null,"v":""}'.length;
    await cache.set("key", "x".repeat(limit - around));
    expect(kv.operations.put).toBe(1);
    for (const value of ["x".repeat(limit - around + 1), "é".repeat(limit / 2)]) {
      const error = await cache.set("key", value).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "ERR_CACHE_VALUE_TOO_LARGE" });
    }
    expect(kv.operations.put).toBe(1);
  });

  it("reads many keys a hundred at a time, and one by one without bulk reads", async () => {
    const { kv, cache } = setUp(10);
    const keys = Array.from({ length: 250 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map((key, index) => cache.set(key, index)));
    expect(await cache.getMany(keys)).toEqual(keys.map((_, index) => index));
    expect(kv.operations.get).toBe(3);
    const single = {
      get: (key: string | string[]) =>
        Array.isArray(key) ? Promise.resolve(null) : kv.get(key, "text"),
      put: kv.put.bind(kv),
      delete: kv.delete.bind(kv),
      list: kv.list.bind(kv),
    };
    // Behaviour of an older runtime with a list of keys, which the current type lacks.
    const older = new Cache({ store: single as never });
    expect(await older.getMany(keys.slice(0, 5))).toEqual([0, 1, 2, 3, 4]);
  });
});
