import { writeFileSync } from "node:fs";
import { drawBars } from "../support/draw-bars.ts";
import { roundNumber } from "../support/round-number.ts";
import { parseOptions } from "./options.ts";
import { assumed, limits, monthlyDollars, prices } from "./platform.ts";
import { simulateHotKey, tenant } from "./simulate-hot-key.ts";
import { type CacheScenario, simulateKvCache, usualScenario } from "./simulate-kv-cache.ts";
import { limit, simulateLimiter, windowMs } from "./simulate-limiter.ts";
import { simulateMemoryCache } from "./simulate-memory-cache.ts";
import { summariseKvCache } from "./summarise-kv-cache.ts";

/**
 * A million requests a second over many isolates, in simulated time: what the limiters admit, what a
 * cache in Workers KV does, and what both cost. Nothing here is measured on the platform.
 */
const { jsonFile, charts, ...settings } = parseOptions(process.argv.slice(2));

const limiter = simulateLimiter(settings);
const hotKey = simulateHotKey(settings);
const scenarios: readonly (readonly [name: string, scenario: CacheScenario])[] = [
  ["60 s", usualScenario],
  ["60 s, stale 60 s", { ...usualScenario, staleMs: 60_000 }],
  ["20 s", { ...usualScenario, ttlMs: 20_000 }],
];
const kvCache = scenarios.map(([name, scenario]) => ({
  name,
  ...summariseKvCache(simulateKvCache(settings, scenario)),
}));
const memory = await simulateMemoryCache(settings);

const objectsPerSecond = limiter.requests / settings.limiterSeconds;
const rowsPerSecond = limiter.exact.admitted / settings.limiterSeconds;
const result = {
  simulated: "Nothing in this file is measured; docs/scale.md says what is assumed.",
  settings,
  limits,
  prices,
  assumed,
  limiter: {
    limit,
    windowMs,
    ...limiter,
    overAdmission: roundNumber(limiter.overAdmission),
    worstOverAdmission: roundNumber(limiter.worstOverAdmission),
    objectRequestsPerSecond: roundNumber(objectsPerSecond),
    rowsWrittenPerSecond: roundNumber(rowsPerSecond),
    monthlyDollars: {
      objectRequests: monthlyDollars(objectsPerSecond, prices.objectRequests),
      rowsWritten: monthlyDollars(rowsPerSecond, prices.objectRowsWritten),
    },
  },
  hotKey: { tenant, shards: hotKey },
  kvCache,
  memoryCache: {
    ...memory,
    hitRate: roundNumber(memory.hits / memory.answers),
    producerCallsPerSecond: roundNumber(
      (memory.producerCalls / memory.sampledIsolates / (settings.seconds / 2)) * settings.isolates,
    ),
  },
  workerRequestsMonthlyDollars: monthlyDollars(settings.requestsPerSecond, prices.workerRequests),
};

process.stdout.write(`${JSON.stringify(result, undefined, 1)}\n`);
if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(result, undefined, 1)}\n`);
if (charts) {
  const file = new URL("../../docs/charts/scale-producers.svg", import.meta.url);
  const bars = [
    ...kvCache.map(({ name, producerCallsPerSecond }) => ({
      label: `KV, kept for ${name}`,
      value: producerCallsPerSecond,
      own: true,
    })),
    {
      label: "memory, kept for 60 s",
      value: result.memoryCache.producerCallsPerSecond,
      own: false,
    },
  ];
  const note = `${settings.requestsPerSecond.toLocaleString("en")} requests a second, simulated`;
  writeFileSync(
    file,
    drawBars("Calls of producers", note, [{ title: "Calls in a second", bars }], {
      unit: "/s",
      cutAt: Infinity,
    }),
  );
}
