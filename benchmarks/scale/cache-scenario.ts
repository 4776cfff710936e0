import { assumed } from "./platform.ts";

/** How a cache is used, and how long things take. */
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

/** Counts of answers, reads and writes in some stretch of time. */
export interface KvCacheCounts {
  answers: number;
  /** Answers with what KV had, before its expiry. */
  freshHits: number;
  /** Answers with what had expired, not longer than `staleMs` ago. */
  staleHits: number;
  /** Answers with what a producer made for them. */
  misses: number;
  /** Answers that waited for somebody else's look-up or producer in their isolate. */
  joined: number;
  producerCalls: number;
  kvReads: number;
  /** Reads that the data centre's own copy could not answer. */
  kvColdReads: number;
  kvWrites: number;
  /** Writes that KV refused, as the key had been written less than a second before. */
  kvRefusedWrites: number;
  /** Hits for which KV held something newer, which had not arrived where they were. */
  behindHits: number;
  maxAgeMs: number;
  /** How many hits were so many whole seconds old. */
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
