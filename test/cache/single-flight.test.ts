import { describe, expect, it, vi } from "vitest";
import { type ComputationResult, SingleFlight } from "../../src/cache/single-flight.ts";

const never = (): Promise<ComputationResult> => new Promise(() => {});

describe("single-flight computations", () => {
  it("are limited per key, so that cancelled ones do not accumulate", () => {
    const flights = new SingleFlight(30_000, () => 0);
    const store = new Map<string, unknown>();
    const started = Array.from({ length: 6 }, () => flights.start(store, "key", undefined, never));
    expect(flights.find(store, "key")).toBe(started.at(-1));
    // None of them is writing.
    expect(flights.cancel(store, "key")).toBeUndefined();
    const abandoned = started.map((flight) => flight.cancelled);
    expect(abandoned).toEqual([false, false, true, true, true, true]);
  });

  it("are removed when they finish", async () => {
    const flights = new SingleFlight(30_000, () => 0);
    const store = new Map<string, unknown>();
    const landing = { stored: "text", produced: true };
    const flight = flights.start(store, "key", undefined, async () => landing);
    expect(await flights.join(flight)).toBe(landing);
    expect(flights.find(store, "key")).toBeUndefined();
    expect(flights.cancel(store, "key")).toBeUndefined();
  });

  it("are awaited without a timer if no limit is set", async () => {
    const flights = new SingleFlight(Number.POSITIVE_INFINITY, () => 0);
    const landing = { stored: "text", produced: true };
    const flight = flights.start(new Map(), "key", undefined, async () => landing);
    expect(await flights.join(flight)).toBe(landing);
  });

  it("that end leave the others of their key to be found", async () => {
    const flights = new SingleFlight(30_000, () => 0);
    const store = new Map<string, unknown>();
    const result = { stored: "text", produced: true };
    const ends = Array.from({ length: 6 }, () => Promise.withResolvers<ComputationResult>());
    const started = ends.map(({ promise }) =>
      flights.start(store, "key", undefined, () => promise),
    );
    const end = async (index: number): Promise<void> => {
      ends[index]?.resolve(result);
      await started[index]?.result;
    };
    // The first two have been dropped: only four of a key are kept.
    await end(0);
    expect(flights.find(store, "key")).toBe(started[5]);
    await end(3);
    expect(flights.find(store, "key")).toBe(started[5]);
    await end(5);
    expect(flights.find(store, "key")).toBe(started[4]);
    await end(4);
    expect(flights.find(store, "key")).toBe(started[2]);
    await end(2);
    expect(flights.find(store, "key")).toBeUndefined();
  });

  it("leave no key behind when they finish, so that the memory of many keys is freed", async () => {
    const flights = new SingleFlight(30_000, () => 0);
    const store = new Map<string, unknown>();
    const result = { stored: "text", produced: true };
    const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
    await Promise.all(
      keys.map((key) => flights.start(store, key, undefined, async () => result).result),
    );
    flights.start(store, "running", undefined, never);
    // Cancels each key that it still has.
    const cancel = vi.spyOn(flights, "cancel");
    await flights.cancelAll(store, "");
    expect(cancel.mock.calls).toEqual([[store, "running"]]);
  });

  it("can be found until their time is over", () => {
    let now = 0;
    const flights = new SingleFlight(30_000, () => now);
    const store = new Map<string, unknown>();
    const computation = flights.start(store, "key", undefined, never);
    now = 29_999;
    expect(flights.find(store, "key")).toBe(computation);
    now = 30_000;
    expect(flights.find(store, "key")).toBeUndefined();
  });

  it("of a key are all cancelled if one of them depends on a generation", async () => {
    const flights = new SingleFlight(30_000, () => 0);
    const store = new Map<string, unknown>();
    const start = (key: string, generationKeys: string[]) =>
      flights.start(store, key, undefined, never, generationKeys);
    const dependent = [start("a", ["one", "two"]), start("a", [])];
    const others = [start("b", ["two"]), start("c", [])];
    await flights.cancelDependents(store, ["one", "three"]);
    expect(dependent.map(({ cancelled }) => cancelled)).toEqual([true, true]);
    expect(others.map(({ cancelled }) => cancelled)).toEqual([false, false]);
    expect(flights.find(store, "a")).toBeUndefined();
  });

  it.each([[2 ** 31], [2 ** 31 + 1], [Number.POSITIVE_INFINITY]])(
    "are awaited for %d ms, which is more than a timer can wait",
    async (waitMs) => {
      const flights = new SingleFlight(waitMs, () => 0);
      const end = Promise.withResolvers<ComputationResult>();
      const flight = flights.start(new Map(), "key", undefined, () => end.promise);
      const joined = flights.join(flight);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(flight.timedOut).toBe(false);
      const result = { stored: "text", produced: true };
      end.resolve(result);
      expect(await joined).toBe(result);
    },
  );

  it("are awaited with a timer of at most 24.8 days", async () => {
    vi.useFakeTimers();
    try {
      const flights = new SingleFlight(2 ** 31 - 1, () => 0);
      const joined = flights.join(flights.start(new Map(), "key", undefined, never));
      await vi.advanceTimersByTimeAsync(2 ** 31 - 1);
      expect(await joined).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});
