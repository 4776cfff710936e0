import { describe, expect, it } from "vitest";
import { type ComputationResult, SingleFlight } from "../../src/cache/single-flight.ts";

const never = (): Promise<ComputationResult> => new Promise(() => {});

describe("single-flight computations", () => {
  it("are limited per key, so that cancelled ones do not accumulate", () => {
    const flights = new SingleFlight(30_000, () => 0);
    const store = new Map<string, unknown>();
    const started = Array.from({ length: 6 }, () => flights.start(store, "key", undefined, never));
    expect(flights.find(store, "key")).toBe(started.at(-1));
    flights.cancel(store, "key");
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
});
