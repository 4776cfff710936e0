import { describe, expect, it } from "vitest";
import { Flights, type Landing } from "../../src/cache/flights.ts";

const never = (): Promise<Landing> => new Promise(() => {});

describe("the flights of a cache", () => {
  it("remember a few of one key, so that dead ones do not pile up", () => {
    const flights = new Flights(30_000, () => 0);
    const store = new Map<string, unknown>();
    const started = Array.from({ length: 6 }, () => flights.start(store, "key", undefined, never));
    expect(flights.find(store, "key")).toBe(started.at(-1));
    flights.abandon(store, "key");
    const abandoned = started.map((flight) => flight.abandoned);
    expect(abandoned).toEqual([false, false, true, true, true, true]);
  });

  it("are gone once they have landed", async () => {
    const flights = new Flights(30_000, () => 0);
    const store = new Map<string, unknown>();
    const landing = { stored: "text", produced: true };
    const flight = flights.start(store, "key", undefined, async () => landing);
    expect(await flights.join(flight)).toBe(landing);
    expect(flights.find(store, "key")).toBeUndefined();
    expect(flights.abandon(store, "key")).toBeUndefined();
  });

  it("are waited for without a timer when there is no limit", async () => {
    const flights = new Flights(Number.POSITIVE_INFINITY, () => 0);
    const landing = { stored: "text", produced: true };
    const flight = flights.start(new Map(), "key", undefined, async () => landing);
    expect(await flights.join(flight)).toBe(landing);
  });
});
