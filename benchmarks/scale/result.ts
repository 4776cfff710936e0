import type { Result, ResultRow } from "../../scripts/runner/result.ts";
import { roundNumber } from "../support/round-number.ts";
import type { Settings } from "./options.ts";
import { assumed, limits, monthlyDollars, prices } from "./platform.ts";
import type { HotKeyResult, tenant } from "./simulate-hot-key.ts";
import { type LimiterResult, limit, windowMs } from "./simulate-limiter.ts";
import type { MemoryCacheResult } from "./simulate-memory-cache.ts";
import type { KvCacheSummary } from "./summarise-kv-cache.ts";

/** Simulated numbers of a run. */
export interface Simulation {
  readonly simulated: string;
  /** False while parts are missing, as after an interrupted run. */
  readonly isWhole: boolean;
  readonly settings: Settings;
  readonly limits: typeof limits;
  readonly prices: typeof prices;
  readonly assumed: typeof assumed;
  readonly workerRequestsMonthlyDollars: number;
  readonly limiter?: LimiterResult & {
    readonly limit: number;
    readonly windowMs: number;
    readonly objectRequestsPerSecond: number;
    readonly rowsWrittenPerSecond: number;
    readonly monthlyDollars: {
      readonly objectRequests: number;
      readonly rowsWritten: number;
    };
  };
  readonly hotKey?: { readonly tenant: typeof tenant; readonly shards: readonly HotKeyResult[] };
  readonly kvCache: readonly ({ readonly name: string } & KvCacheSummary)[];
  readonly memoryCache?: MemoryCacheResult & {
    readonly hitRate: number;
    readonly producerCallsPerSecond: number;
  };
}

/** Result file of the simulation. */
export type SimulationResult = Result & Simulation;

/** Returns a simulation without results. */
export function emptySimulation(settings: Settings): Simulation {
  return {
    simulated: "Nothing in this file is measured; docs/scale.md lists the assumptions.",
    isWhole: false,
    settings,
    limits,
    prices,
    assumed,
    workerRequestsMonthlyDollars: monthlyDollars(settings.requestsPerSecond, prices.workerRequests),
    kvCache: [],
  };
}

export function limiterPart(
  settings: Settings,
  limiter: LimiterResult,
): NonNullable<Simulation["limiter"]> {
  const objectsPerSecond = limiter.requests / settings.limiterSeconds;
  const rowsPerSecond = limiter.exact.admitted / settings.limiterSeconds;
  return {
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
  };
}

export function memoryCachePart(
  { seconds, isolates }: Settings,
  memory: MemoryCacheResult,
): NonNullable<Simulation["memoryCache"]> {
  const callsOfOne = memory.producerCalls / memory.sampledIsolates / (seconds / 2);
  return {
    ...memory,
    hitRate: roundNumber(memory.hits / memory.answers),
    producerCallsPerSecond: roundNumber(callsOfOne * isolates),
  };
}

/** Returns the main numbers of each part as rows of a result file. */
export function rowsOf({ kvCache, memoryCache, hotKey, limiter }: Simulation): ResultRow[] {
  const row = (name: string, subject: string, value: number, unit: string): ResultRow => {
    return { case: name, runtime: "simulated", subject, value, unit };
  };
  const rows = kvCache.flatMap(({ name, hitRate, producerCallsPerSecond }) => [
    row("hit rate", `cache in KV, ${name}`, hitRate, "of 1"),
    row("producer calls", `cache in KV, ${name}`, producerCallsPerSecond, "/s"),
  ]);
  if (memoryCache !== undefined) {
    const { hitRate, producerCallsPerSecond } = memoryCache;
    rows.push(row("hit rate", "cache in memory", hitRate, "of 1"));
    rows.push(row("producer calls", "cache in memory", producerCallsPerSecond, "/s"));
  }
  for (const { shards, shareOfLimit } of hotKey?.shards ?? []) {
    rows.push(row("share of the limit", `one key in ${shards} shards`, shareOfLimit, "of 1"));
  }
  if (limiter !== undefined) {
    const { overAdmission } = limiter;
    rows.push(
      row("admitted, beside an exact limiter", "limiter in memory", overAdmission, "times"),
    );
  }
  return rows;
}
