import { describeVersions } from "../../scripts/runner/machine.ts";
import { RunClock, writeResult } from "../../scripts/runner/result.ts";
import { reportUsage } from "../../scripts/runner/usage.ts";
import { findBenchmark } from "../benchmarks.ts";
import { type CacheScenario, usualScenario } from "./cache-scenario.ts";
import { parseOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import {
  emptySimulation,
  limiterPart,
  memoryCachePart,
  rowsOf,
  type Simulation,
  type SimulationResult,
} from "./result.ts";
import { simulateHotKey, tenant } from "./simulate-hot-key.ts";
import { simulateKvCache } from "./simulate-kv-cache.ts";
import { simulateLimiter } from "./simulate-limiter.ts";
import { simulateMemoryCache } from "./simulate-memory-cache.ts";
import { summariseKvCache } from "./summarise-kv-cache.ts";

/**
 * Simulates a million requests per second over many isolates: admitted requests of the limiters, the
 * behaviour of a cache in Workers KV, and the cost of both. Nothing is measured on the platform. Each
 * part is printed and written when it ends.
 */
const { jsonFile, charts, ...settings } = await reportUsage(() =>
  parseOptions(process.argv.slice(2)),
);
const startedAt = Date.now();
const clock = new RunClock(findBenchmark("simulation"), settings.quick);
let simulation: Simulation = emptySimulation(settings);

/** Writes the finished parts, so that an interrupted run keeps them. */
function add(part: Partial<Simulation>): void {
  simulation = { ...simulation, ...part };
  const rows = rowsOf(simulation);
  const result: SimulationResult = { ...clock.describe(describeVersions()), ...simulation, rows };
  writeResult(jsonFile, result);
  process.stdout.write(`${JSON.stringify(part, undefined, 1)}\n`);
  console.error(`${Object.keys(part)}: after ${Math.round((Date.now() - startedAt) / 1_000)} s`);
}

const scenarios: readonly (readonly [name: string, scenario: CacheScenario])[] = [
  ["60 s", usualScenario],
  ["60 s, stale 60 s", { ...usualScenario, staleMs: 60_000 }],
  ["20 s", { ...usualScenario, ttlMs: 20_000 }],
];
for (const [name, scenario] of scenarios) {
  const onProgress = createProgress(`cache in KV, ${name}`);
  const summary = summariseKvCache(simulateKvCache(settings, scenario, onProgress));
  add({ kvCache: [...simulation.kvCache, { name, ...summary }] });
}
add({ memoryCache: memoryCachePart(settings, await simulateMemoryCache(settings)) });
add({ hotKey: { tenant, shards: simulateHotKey(settings) } });
const limiter = simulateLimiter(settings, createProgress("limiter"));
add({ limiter: limiterPart(settings, limiter), isWhole: true });
if (charts) await import("./chart.ts");
