import { assumed } from "./platform.ts";

/** Load and latencies of a cache. */
export interface CacheScenario {
  readonly ttlMs: number;
  readonly staleMs: number;
  readonly hotReadMs: number;
  readonly coldReadMs: number;
  readonly producerMs: number;
}

export const usualScenario: CacheScenario = {
  ttlMs: 60_000,
  staleMs: 0,
  hotReadMs: assumed.kvHotReadMs,
  coldReadMs: assumed.kvColdReadMs,
  producerMs: assumed.producerAndWriteMs,
};

/** Counts of responses, reads and writes in a period. */
export interface KvCacheCounts {
  answers: number;
  /** Responses with an unexpired value from KV. */
  freshHits: number;
  /** Responses with a value that expired at most `staleMs` ago. */
  staleHits: number;
  /** Responses with a value computed for them. */
  misses: number;
  /** Responses that waited for another request's lookup or producer in their isolate (single flight). */
  joined: number;
  producerCalls: number;
  kvReads: number;
  /** Reads that missed the data centre's copy. */
  kvColdReads: number;
  kvWrites: number;
  /** Writes that KV rejected, because the key was written less than a second before. */
  kvRefusedWrites: number;
  /** Hits for which KV had a newer value that was not yet visible in their data centre. */
  behindHits: number;
  maxAgeMs: number;
  /** Number of hits by age in whole seconds. */
  ageSeconds: Uint32Array;
}

export function createCounts({ ttlMs, staleMs }: CacheScenario): KvCacheCounts {
  return {
    answers: 0,
    freshHits: 0,
    staleHits: 0,
    misses: 0,
    joined: 0,
    producerCalls: 0,
    kvReads: 0,
    kvColdReads: 0,
    kvWrites: 0,
    kvRefusedWrites: 0,
    behindHits: 0,
    maxAgeMs: 0,
    ageSeconds: new Uint32Array(Math.ceil((ttlMs + staleMs) / 1_000) + 1),
  };
}
