import { describe, expect, test } from "vitest";
import { seconds } from "../../src/middleware/rate-limit-headers.ts";
import { MemoryRateLimitStore } from "../../src/rate-limit/memory-rate-limit-store.ts";
import { admit } from "../../src/rate-limit/sliding-window.ts";
import { Random } from "../support/random.ts";
import { expectExactLog } from "./support/exact-log-model.ts";

describe("the sliding window", () => {
  test("is the exact log's in 20,000 arrivals of 50 patterns", () => expectExactLog(400));

  test("frees a place windowMs after it was taken, not a millisecond earlier or later", () => {
    const window = [1_000];
    expect(admit(window, 1, 500, 1_499)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    expect(window).toEqual([1_000]);
    expect(admit(window, 1, 500, 1_500)).toEqual({ allowed: true, remaining: 0, resetMs: 500 });
    expect(window).toEqual([1_500]);
  });

  test("does not count what it refuses", () => {
    const window = [0];
    for (let now = 1; now < 1_000; now += 1)
      expect(admit(window, 1, 1_000, now).allowed).toBe(false);
    expect(admit(window, 1, 1_000, 1_000).allowed).toBe(true);
  });

  test("tells a time to wait that is never too short and a second too long at most", () => {
    const random = new Random(7);
    for (let round = 0; round < 2_000; round += 1) {
      const limit = random.between(1, 8);
      const windowMs = random.between(1, 5_000);
      const window: number[] = [];
      let now = 0;
      let decision = admit(window, limit, windowMs, now);
      while (decision.allowed) {
        now += random.between(0, Math.floor(windowMs / limit / 2));
        decision = admit(window, limit, windowMs, now);
      }
      const waitMs = seconds(decision.resetMs ?? Number.NaN) * 1_000;
      const exactMs = decision.resetMs ?? Number.NaN;
      expect(waitMs - exactMs).toBeGreaterThanOrEqual(0);
      expect(waitMs - exactMs).toBeLessThan(1_000);
      expect(admit([...window], limit, windowMs, now + exactMs - 1).allowed).toBe(false);
      expect(admit([...window], limit, windowMs, now + exactMs).allowed).toBe(true);
    }
  });

  test("continues when the clock is set back, and when the limit is lowered", () => {
    const window = [10_000, 10_001, 10_002];
    expect(admit(window, 3, 1_000, 5_000).allowed).toBe(false);
    expect(admit(window, 3, 1_000, 6_000).allowed).toBe(true);

    const full = [0, 10, 20, 30];
    expect(admit(full, 2, 1_000, 40)).toEqual({ allowed: false, remaining: 0, resetMs: 980 });
    expect(admit(full, 2, 1_000, 1_019).allowed).toBe(false);
    expect(admit(full, 2, 1_000, 1_020).allowed).toBe(true);
  });
});

describe("the memory store", () => {
  const policy = { limit: 60, windowMs: 60_000 };

  test("forgets keys a window after they were seen, a generation at a time", () => {
    const began = Date.UTC(2026, 0, 1);
    const sizesAt = (...times: readonly number[]): number[] => {
      let now = began;
      const store = new MemoryRateLimitStore({ now: () => now });
      return times.map((at) => {
        now = began + at;
        store.consume({ key: `seen at ${at}`, limit: 5, windowMs: 1_000 });
        return store.size;
      });
    };
    // No request for a window: all counts have expired.
    expect(sizesAt(0, 10, 1_009)).toEqual([1, 2, 3]);
    expect(sizesAt(0, 10, 1_010)).toEqual([1, 2, 1]);
    // Continuous requests: counts from before the last generation are removed.
    expect(sizesAt(0, 500, 1_000, 1_500, 2_000)).toEqual([1, 2, 3, 4, 3]);
    expect(sizesAt(0, 500, 999, 1_000, 1_999, 2_000)).toEqual([1, 2, 3, 4, 5, 3]);
  });

  test("bounds the requests it remembers as well", () => {
    const store = new MemoryRateLimitStore({ maxRequests: 1_000, now: () => 0 });
    for (let key = 0; key < 500; key += 1) {
      for (let count = 0; count < 60; count += 1) store.consume({ key: `k${key}`, ...policy });
    }
    // 1,000 requests of 60 each, in two generations that are full when they hold half.
    expect(store.size).toBeLessThanOrEqual(18);
    expect(store.size).toBeGreaterThanOrEqual(9);
  });

  test("begins a generation when one holds half of its bounds, and moves keys that come back", () => {
    const sizes = (bounds: object, keys: readonly string[]): number[] => {
      const store = new MemoryRateLimitStore({ ...bounds, now: () => 0 });
      return keys.map((key) => {
        store.consume({ key, ...policy });
        return store.size;
      });
    };
    const keys = ["a", "b", "c", "d", "e", "f"];
    expect(sizes({ maxKeys: 4 }, keys)).toEqual([1, 2, 3, 4, 3, 4]);
    expect(sizes({ maxRequests: 4 }, keys)).toEqual([1, 2, 3, 4, 3, 4]);
    // a moves from the full generation into the one of c.
    expect(sizes({ maxKeys: 4 }, ["a", "b", "c", "a", "d"])).toEqual([1, 2, 3, 3, 3]);
    // And brings its three requests along, with which that one is full as well.
    expect(sizes({ maxRequests: 8 }, ["a", "a", "a", "b", "c", "a", "d"])).toEqual([
      1, 1, 1, 2, 3, 3, 3,
    ]);
  });

  test("forgets the keys that were not seen for longest", () => {
    const store = new MemoryRateLimitStore({ maxKeys: 4, now: () => 0 });
    const once = { limit: 1, windowMs: 1_000 };
    const see = (key: string) => store.consume({ key, ...once }).allowed;
    expect(["a", "b", "c", "a", "d", "a", "e", "a"].map(see)).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(see("b")).toBe(true);
  });

  test("keeps keys with a longer window while others with a shorter one come and go", () => {
    let now = 0;
    const store = new MemoryRateLimitStore({ now: () => now });
    const hour = { key: "hour", limit: 1, windowMs: 3_600_000 };
    expect(store.consume(hour).allowed).toBe(true);
    for (now = 1; now < 3_600_000; now += 30_000) {
      store.consume({ key: "minute", limit: 10, windowMs: 1_000 });
    }
    now = 3_599_999;
    expect(store.consume(hour).allowed).toBe(false);
    now = 3_600_000;
    expect(store.consume(hour).allowed).toBe(true);
  });

  test("refuses bounds that bound nothing", () => {
    for (const value of [0, 1, 1.5, Number.NaN]) {
      for (const option of ["maxKeys", "maxRequests"]) {
        expect(() => new MemoryRateLimitStore({ [option]: value })).toThrow(
          expect.objectContaining({
            code: "ERR_MIDDLEWARE_BAD_OPTION",
            message: `The option "${option}" of MemoryRateLimitStore must be an integer of at least 2, got ${value}.`,
          }),
        );
      }
    }
    expect(() => new MemoryRateLimitStore({ maxKeys: 2, maxRequests: 2 })).not.toThrow();
    expect(() => new MemoryRateLimitStore({ maxKey: 5 } as object)).toThrow(
      expect.objectContaining({ code: "ERR_MIDDLEWARE_BAD_OPTION" }),
    );
  });
});
