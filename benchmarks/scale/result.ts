import { writeFileSync } from "node:fs";
import { roundNumber } from "../support/round-number.ts";
import type { Settings } from "./options.ts";
import { assumed, limits, monthlyDollars, prices } from "./platform.ts";
import type { HotKeyResult, tenant } from "./simulate-hot-key.ts";
import { type LimiterResult, limit, windowMs } from "./simulate-limiter.ts";
import type { MemoryCacheResult } from "./simulate-memory-cache.ts";
import type { KvCacheSummary } from "./summarise-kv-cache.ts";

/** The numbers of a run, as the file has them. */
export interface SimulationResult {
  readonly simulated: string;
  /** False while parts are missing, as after a run that was stopped. */
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

/** What a result is before any part of it. */
export function emptyResult(settings: Settings): SimulationResult {
  return {
    simulated: "Nothing in this file is measured; docs/scale.md says what is assumed.",
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
): NonNullable<SimulationResult["limiter"]> {
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
): NonNullable<SimulationResult["memoryCache"]> {
  const callsOfOne = memory.producerCalls / memory.sampledIsolates / (seconds / 2);
  return {
    ...memory,
    hitRate: roundNumber(memory.hits / memory.answers),
    producerCallsPerSecond: roundNumber(callsOfOne * isolates),
  };
}

/** Writes what there is so far, so that a run that is stopped leaves its parts behind. */
export function writeResult(file: string | undefined, result: SimulationResult): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(result, undefined, 1)}\n`);
}
