import { Cache } from "../../src/cache/cache.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { createRandom } from "../support/random.ts";
import { usualScenario } from "./cache-scenario.ts";
import type { Settings } from "./options.ts";
import { KEY_EXPONENT } from "./simulate-kv-cache.ts";
import { createZipf } from "./zipf.ts";

export interface MemoryCacheResult {
  /** Number of simulated isolates; they share nothing, so a few represent all. */
  readonly sampledIsolates: number;
  readonly answers: number;
  readonly hits: number;
  readonly producerCalls: number;
}

/** Runs the real cache with its memory store, one per isolate; producers take no time. */
export async function simulateMemoryCache(settings: Settings): Promise<MemoryCacheResult> {
  const sampledIsolates = Math.min(settings.quick ? 2 : 4, settings.isolates);
  const perSecond = settings.requestsPerSecond / settings.isolates;
  const half = Math.floor((perSecond * settings.seconds) / 2);
  let hits = 0;
  let producerCalls = 0;
  for (let isolate = 0; isolate < sampledIsolates; isolate += 1) {
    const random = createRandom(settings.seed + isolate);
    const drawKey = createZipf(settings.cacheKeys, KEY_EXPONENT, random);
    let nowMs = 0;
    let isCounting = false;
    const now = (): number => nowMs;
    const notify = (name: string): void => {
      if (isCounting && name === "cache.hit") hits += 1;
    };
    const cache = new Cache({ store: new MemoryCacheStore({ now }), now, notify });
    const produce = (): number => {
      if (isCounting) producerCalls += 1;
      return nowMs;
    };
    for (let index = 0; index < half * 2; index += 1) {
      isCounting = index >= half;
      nowMs = (index / perSecond) * 1_000;
      await cache.remember(`key:${drawKey()}`, produce, usualScenario.ttlMs);
    }
  }
  return { sampledIsolates, answers: half * sampledIsolates, hits, producerCalls };
}
