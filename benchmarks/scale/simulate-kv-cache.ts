import { createRandom } from "../support/random.ts";
import { type CacheScenario, createCounts, type KvCacheCounts } from "./cache-scenario.ts";
import { KvKey } from "./kv-key.ts";
import type { Settings } from "./options.ts";

/** Popularity of keys: the n-th is requested with weight `1 / n ** 0.9`. */
export const KEY_EXPONENT = 0.9;

/** Result, and the counted time. */
export interface KvCacheResult {
  readonly scenario: CacheScenario;
  readonly measuredSeconds: number;
  readonly requests: number;
  readonly answersBefore: number;
  readonly waitingAtEnd: number;
  readonly counts: KvCacheCounts;
}

/**
 * Simulates each key over the whole time, since keys share nothing in KV or in an isolate. Requests
 * arrive at random (Poisson) at any isolate. The first half of the time fills the cache and is not
 * counted.
 *
 * @param onProgress called with the share of all requests that was simulated
 */
export function simulateKvCache(
  settings: Settings,
  scenario: CacheScenario,
  onProgress: (share: number) => void = () => {},
): KvCacheResult {
  const { cacheKeys, isolates, requestsPerSecond, seconds, seed } = settings;
  const random = createRandom(seed);
  const weights = Float64Array.from(
    { length: cacheKeys },
    (_, rank) => 1 / (rank + 1) ** KEY_EXPONENT,
  );
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  const halfMs = (seconds / 2) * 1_000;
  const counts = createCounts(scenario);
  const before = createCounts(scenario);
  const key = new KvKey(scenario, settings, before);
  let requests = 0;
  let waitingAtEnd = 0;
  let doneWeight = 0;
  for (const weight of weights) {
    const meanGapMs = (1_000 * allWeights) / (weight * requestsPerSecond);
    key.clear(before);
    let nowMs = 0;
    for (;;) {
      nowMs -= Math.log(1 - random()) * meanGapMs;
      if (nowMs >= halfMs && key.counts === before) {
        key.advance(halfMs);
        key.counts = counts;
      }
      if (nowMs >= halfMs * 2) break;
      key.request(Math.floor(random() * isolates), nowMs);
      requests += 1;
    }
    key.advance(halfMs * 2);
    waitingAtEnd += key.waiting;
    doneWeight += weight;
    onProgress(doneWeight / allWeights);
  }
  const measuredSeconds = seconds / 2;
  return {
    scenario,
    measuredSeconds,
    requests,
    answersBefore: before.answers,
    waitingAtEnd,
    counts,
  };
}
