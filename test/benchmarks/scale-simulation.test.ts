import { describe, expect, test } from "vitest";
import { createCounts, usualScenario } from "../../benchmarks/scale/cache-scenario.ts";
import { KvKey } from "../../benchmarks/scale/kv-key.ts";
import { parseOptions } from "../../benchmarks/scale/options.ts";
import { simulateHotKey, tenant } from "../../benchmarks/scale/simulate-hot-key.ts";
import { simulateKvCache } from "../../benchmarks/scale/simulate-kv-cache.ts";
import { limit, simulateLimiter } from "../../benchmarks/scale/simulate-limiter.ts";
import { createZipf } from "../../benchmarks/scale/zipf.ts";
import { createRandom } from "../../benchmarks/support/random.ts";
import type { Report } from "../../benchmarks/support/row.ts";
import { Cache } from "../../src/cache/cache.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { runBenchmark } from "./run-benchmark.ts";

const { jsonFile: _, charts: __, ...settings } = parseOptions(["--quick"]);

describe("the simulated limiters", () => {
  const { requests, exact, memory, objects } = simulateLimiter(settings);

  test("count every request once", () => {
    expect(requests).toBe(settings.requestsPerSecond * settings.limiterSeconds);
    expect(exact.admitted + exact.refused + exact.overloaded).toBe(requests);
    expect(memory.admitted + memory.refused).toBe(requests);
  });

  test("one object per key never admits more than the limit in any window", () => {
    expect(exact.mostInAnyWindow).toBe(limit);
  });

  test("memory admits more, at most the limit per isolate of a region", () => {
    const isolates = settings.isolates / settings.regions;
    expect(memory.mostInAnyWindow).toBeGreaterThan(limit);
    expect(memory.mostInAnyWindow).toBeLessThanOrEqual(limit * isolates);
    expect(objects).toBeLessThanOrEqual(settings.clients);
  });

  test("shards of one key never admit more than the limit, and with enough of them none is overloaded", () => {
    const results = simulateHotKey(settings);
    for (const { requests: all, admitted, refused, overloaded, shareOfLimit } of results) {
      expect(admitted + refused + overloaded).toBe(all);
      expect(shareOfLimit).toBeLessThanOrEqual(1);
    }
    expect(results[0]?.overloaded).toBe((tenant.requestsPerSecond - 1_000) * 3);
    expect(results.at(-1)?.overloaded).toBe(0);
  });
});

describe("the simulated cache in KV", () => {
  test.each([0, 60_000])(
    "has consistent counts, and serves nothing beyond its bound (stale %i ms)",
    (staleMs) => {
      const scenario = { ...usualScenario, staleMs };
      const result = simulateKvCache(settings, scenario);
      const { counts, answersBefore, waitingAtEnd } = result;
      expect(answersBefore + counts.answers + waitingAtEnd).toBe(result.requests);
      expect(counts.freshHits + counts.staleHits + counts.misses).toBe(counts.answers);
      expect(counts.ageSeconds.reduce((sum, count) => sum + count, 0)).toBe(
        counts.freshHits + counts.staleHits,
      );
      expect(counts.maxAgeMs).toBeLessThan(scenario.ttlMs + staleMs);
      expect(counts.misses).toBeGreaterThanOrEqual(0);
      expect(counts.kvColdReads).toBeLessThanOrEqual(counts.kvReads);
      // A key accepts one write per second.
      const writesAtMost = settings.cacheKeys * result.measuredSeconds;
      expect(counts.kvWrites).toBeLessThanOrEqual(writesAtMost);
    },
  );

  test.each([0, 2_000])(
    "equals the real cache, one request at a time (stale %i ms)",
    async (staleMs) => {
      // One isolate without latency: KV is then an ordinary store.
      const scenario = { ttlMs: 5_000, staleMs, hotReadMs: 0, coldReadMs: 0, producerMs: 0 };
      const counts = createCounts(scenario);
      const one = { isolates: 1, regions: 1 };
      const simulation = Array.from({ length: 20 }, () => new KvKey(scenario, one, counts));
      let nowMs = 0;
      const now = (): number => nowMs;
      const real = { hits: 0, producerCalls: 0 };
      const memory = new MemoryCacheStore({ now });
      // Asynchronous like KV, so that the cache uses the same code path.
      const store = {
        get: async (key: string) => memory.get(key),
        set: async (key: string, text: string, ttlMs?: number) => memory.set(key, text, ttlMs),
        delete: async (key: string) => memory.delete(key),
      };
      const notify = (name: string): void => {
        if (name === "cache.hit") real.hits += 1;
      };
      const cache = new Cache({ store, now, notify });
      const drawKey = createZipf(20, 1, createRandom(7));
      for (let index = 0; index < 3_000; index += 1) {
        nowMs = index * 37;
        const key = drawKey();
        simulation[key]?.request(0, nowMs);
        const produce = (): number => {
          real.producerCalls += 1;
          return nowMs;
        };
        await cache.remember(String(key), produce, 5_000, { staleMs });
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { freshHits, staleHits, producerCalls, misses } = counts;
      expect({ hits: freshHits + staleHits, producerCalls }).toEqual(real);
      expect(misses).toBe(3_000 - real.hits);
      expect(staleMs === 0 ? staleHits : Math.sign(staleHits)).toBe(staleMs === 0 ? 0 : 1);
    },
  );
});

test("the command writes its result, deterministic by seed", async () => {
  const [first, second] = await Promise.all([
    runBenchmark("scale/simulate.ts", []),
    runBenchmark("scale/simulate.ts", []),
  ]);
  const simulated = ({ date, durationSeconds, machine, ...rest }: Report): object => rest;
  expect(first).toHaveProperty("kvCache");
  expect(first.rows.length).toBeGreaterThan(8);
  expect(simulated(first)).toEqual(simulated(second));
}, 60_000);

test("popularity follows Zipf's law", () => {
  const draw = createZipf(100, 1, createRandom(1));
  const counts = new Uint32Array(100);
  for (let index = 0; index < 100_000; index += 1) {
    const at = draw();
    counts[at] = (counts[at] ?? 0) + 1;
  }
  expect((counts[0] ?? 0) / (counts[9] ?? 1)).toBeGreaterThan(8.5);
  expect((counts[0] ?? 0) / (counts[9] ?? 1)).toBeLessThan(11.5);
});

test("a numeric option rejects other values", () => {
  expect(() => parseOptions(["--seconds", "soon"])).toThrow(
    'The option --seconds must be a positive integer, got "soon".',
  );
});
