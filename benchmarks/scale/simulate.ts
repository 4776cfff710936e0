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
 * A million requests a second over many isolates, in simulated time: what the limiters admit, what a
 * cache in Workers KV does, and what both cost. Nothing here is measured on the platform. Each part is
 * printed and written when it has ended.
 */
const { jsonFile, charts, ...settings } = await reportUsage(() =>
  parseOptions(process.argv.slice(2)),
);
const startedAt = Date.now();
const clock = new RunClock(findBenchmark("simulation"), settings.quick);
let simulation: Simulation = emptySimulation(settings);

/** Writes what there is so far, so that a run that is stopped leaves its parts behind. */
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
