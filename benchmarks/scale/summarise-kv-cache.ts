import { roundNumber } from "../support/round-number.ts";
import type { CacheScenario } from "./cache-scenario.ts";
import { monthlyDollars, prices } from "./platform.ts";
import type { KvCacheResult } from "./simulate-kv-cache.ts";

export interface KvCacheSummary {
  readonly scenario: CacheScenario;
  readonly requests: number;
  readonly answersBefore: number;
  readonly waitingAtEnd: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly hitRate: number;
  readonly staleRate: number;
  /** Share of hits for which KV had a newer value. */
  readonly behindRate: number;
  readonly ageSeconds: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly producerCallsPerSecond: number;
  readonly kvReadsPerSecond: number;
  readonly kvWritesPerSecond: number;
  readonly kvRefusedWritesPerSecond: number;
  readonly monthlyDollars: { readonly kvReads: number; readonly kvWrites: number };
}

/** Returns the rates, shares and costs of a run. */
export function summariseKvCache(result: KvCacheResult): KvCacheSummary {
  const { scenario, requests, answersBefore, waitingAtEnd, measuredSeconds } = result;
  const { ageSeconds, ...counts } = result.counts;
  const hits = counts.freshHits + counts.staleHits;
  const perSecond = (value: number): number => roundNumber(value / measuredSeconds);
  return {
    scenario,
    requests,
    answersBefore,
    waitingAtEnd,
    counts,
    hitRate: roundNumber(hits / counts.answers),
    staleRate: roundNumber(counts.staleHits / counts.answers),
    behindRate: roundNumber(counts.behindHits / hits),
    ageSeconds: {
      p50: secondBelowWhich(ageSeconds, 0.5),
      p99: secondBelowWhich(ageSeconds, 0.99),
      max: counts.maxAgeMs / 1_000,
    },
    producerCallsPerSecond: perSecond(counts.producerCalls),
    kvReadsPerSecond: perSecond(counts.kvReads),
    kvWritesPerSecond: perSecond(counts.kvWrites),
    kvRefusedWritesPerSecond: perSecond(counts.kvRefusedWrites),
    monthlyDollars: {
      kvReads: monthlyDollars(counts.kvReads / measuredSeconds, prices.kvReads),
      // Counts only accepted writes: it is not documented whether rejected ones are billed.
      kvWrites: monthlyDollars(counts.kvWrites / measuredSeconds, prices.kvWrites),
    },
  };
}

/** Returns the end of the second in which a share of all hits is reached. */
function secondBelowWhich(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return (
    histogram.findIndex((count) => {
      seen += count;
      return seen >= total * share;
    }) + 1
  );
}
