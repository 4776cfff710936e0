import { describe, expect, test, vi } from "vitest";
import { MemoryTokenStore } from "../../src/auth/memory-token-store.ts";
import type { StoreError } from "../../src/resilience/store-error.ts";

function createStore(maxEntries: number) {
  let nowMs = 1000;
  const store = new MemoryTokenStore({ maxEntries, now: () => nowMs });
  return {
    store,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe("MemoryTokenStore", () => {
  test("keeps an entry exactly until it expires", () => {
    const { store, advance } = createStore(10);
    store.set("a", "1", 100);
    store.set("b", "2");
    advance(99);
    expect([store.get("a"), store.get("b")]).toEqual(["1", "2"]);
    advance(1);
    expect([store.get("a"), store.get("b"), store.size]).toEqual([undefined, "2", 1]);
  });

  test("rejects a new key when full, and keeps the others", () => {
    const { store } = createStore(2);
    store.set("a", "1", 100);
    store.set("b", "2", 200);
    expect(() => store.set("c", "3", 100)).toThrow(
      expect.objectContaining({
        code: "ERR_STORE_FULL",
        status: 503,
        message:
          "The MemoryTokenStore is full: none of its 2 entries has expired. " +
          "Raise maxEntries, shorten expiresIn, or use a store outside of the process.",
      }),
    );
    store.set("a", "4", 100);
    expect([store.get("a"), store.get("b"), store.get("c")]).toEqual(["4", "2", undefined]);
  });

  test("has capacity again when an entry has expired", () => {
    const { store, advance } = createStore(2);
    store.set("a", "1", 100);
    store.set("b", "2", 200);
    advance(100);
    store.set("c", "3", 100);
    expect([store.get("b"), store.get("c"), store.size]).toEqual(["2", "3", 2]);
    expect(() => store.set("d", "4", 100)).toThrow(/is full/);
    advance(100);
    store.set("d", "4", 100);
    expect(store.size).toBe(1);
  });

  test("says when it has room again, a minute at most", () => {
    /** Fills a store with entries of these lifetimes; gives the `Retry-After` of one more. */
    const retryAfter = (ttls: readonly (number | undefined)[], afterMs = 0): unknown => {
      const { store, advance } = createStore(ttls.length);
      for (const [at, ttlMs] of ttls.entries()) store.set(String(at), "x", ttlMs);
      advance(afterMs);
      try {
        store.set("another", "x");
      } catch (error) {
        return (error as StoreError).headers?.get("retry-after");
      }
      return "stored";
    };
    expect(retryAfter([undefined, 9_000, 7_000])).toBe("7");
    expect(retryAfter([7_000, 9_000], 2_000)).toBe("5");
    expect(retryAfter([3_600_000])).toBe("60");
    expect(retryAfter([undefined])).toBe("60");
    expect(retryAfter([200], 200)).toBe("stored");
  });

  test("measures time by the clock of the platform by default", () => {
    vi.useFakeTimers({ now: 1_000 });
    try {
      const store = new MemoryTokenStore();
      store.set("a", "1", 100);
      vi.setSystemTime(1_099);
      expect(store.get("a")).toBe("1");
      vi.setSystemTime(1_100);
      expect(store.get("a")).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test("replaces an unchanged value", () => {
    const { store, advance } = createStore(2);
    store.set("a", "1", 100);
    expect(store.compareAndSet("a", "0", "2", 100)).toBe(false);
    expect(store.compareAndSet("a", "1", "2", 100)).toBe(true);
    expect(store.get("a")).toBe("2");
    advance(100);
    expect(store.compareAndSet("a", "2", "3", 100)).toBe(false);
  });

  test.each([0, -1, 1.5, Number.NaN, "10"])("refuses %j as maxEntries", (maxEntries) => {
    expect(() => new MemoryTokenStore({ maxEntries: maxEntries as number })).toThrow(
      expect.objectContaining({
        code: "ERR_AUTH_BAD_OPTION",
        message: expect.stringContaining(
          '"maxEntries" of MemoryTokenStore must be a positive integer',
        ),
      }),
    );
  });

  test("rejects unknown options", () => {
    expect(() => new MemoryTokenStore({ maxKeys: 5 } as never)).toThrow(
      /MemoryTokenStore: .*maxKeys/,
    );
  });
});
