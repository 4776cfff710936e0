import { expect } from "vitest";
import { MemoryRateLimitStore } from "../../../src/rate-limit/memory-rate-limit-store.ts";
import { Random } from "../../support/random.ts";
import { createPatterns, ExactLog } from "./arrivals.ts";

/** Lets so many requests of each of 50 patterns come, and compares the store with the exact log. */
export function expectExactLog(arrivalsOfEach: number): void {
  const random = new Random(20261101);
  const patterns = createPatterns(random);
  expect(patterns).toHaveLength(50);
  const differences: string[] = [];
  let [arrivals, refused] = [0, 0];
  for (const { name, limit, windowMs, keys, gap } of patterns) {
    let now = Date.UTC(2026, 0, 1);
    const store = new MemoryRateLimitStore({ now: () => now });
    const logs = new Map<string, ExactLog>();
    for (let index = 0; index < arrivalsOfEach; index += 1) {
      now += gap(index);
      const key = `k${random.between(1, keys)}`;
      const log = logs.get(key) ?? new ExactLog();
      logs.set(key, log);
      const expected = log.consume(now, limit, windowMs);
      const actual = store.consume({ key, limit, windowMs });
      arrivals += 1;
      if (!actual.allowed) refused += 1;
      const isSame =
        actual.allowed === expected.allowed &&
        actual.remaining === expected.remaining &&
        actual.resetMs === expected.resetMs;
      if (!isSame) differences.push(`${name}, arrival ${index}`);
    }
  }
  expect(differences).toEqual([]);
  expect(arrivals).toBe(50 * arrivalsOfEach);
  // Neither side of the comparison is idle.
  expect(refused).toBeGreaterThan(arrivals * 0.1);
  expect(refused).toBeLessThan(arrivals * 0.9);
}
