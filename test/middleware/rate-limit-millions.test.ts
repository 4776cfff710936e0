import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { MemoryRateLimitStore } from "../../src/rate-limit/memory-rate-limit-store.ts";
import { expectExactLog } from "./support/exact-log-model.ts";

test("the sliding window is the exact log's in 1,000,000 arrivals of 50 patterns", () => {
  expectExactLog(20_000);
}, 120_000);

const policy = { limit: 60, windowMs: 60_000 };

test("the memory store holds 1,000,000 distinct keys in less than 64 MB, and gives the memory back", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  let now = Date.UTC(2026, 0, 1);
  const store = new MemoryRateLimitStore({ now: () => now });
  const before = heap();
  let [highest, allowed] = [0, 0];
  for (let index = 0; index < 1_000_000; index += 1) {
    store.consume({ key: `default|ip:2001:db8:${index.toString(16)}::/64`, ...policy });
    // A client that sends requests throughout.
    if (index % 10_000 === 0 && store.consume({ key: "active", ...policy }).allowed) allowed += 1;
    if (index % 200_000 === 199_999) highest = Math.max(highest, heap() - before);
  }
  expect(allowed).toBe(60);
  expect(store.size).toBeLessThanOrEqual(100_001);
  expect(highest).toBeLessThan(64);

  now += policy.windowMs;
  expect(store.consume({ key: "active", ...policy })).toMatchObject({ remaining: 59 });
  expect(store.size).toBe(1);
  expect(heap() - before).toBeLessThan(8);
});
