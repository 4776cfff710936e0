import type { Settings } from "./options.ts";
import { assumed, limits } from "./platform.ts";
import { createRandom, createZipf } from "./random.ts";

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

/** Counts of answers, reads and writes in the measured time. */
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

/** One look-up, producer or refresh of a key in an isolate. */
interface Flight {
  kind: "read" | "produce" | "refresh";
  readonly isolate: number;
  readonly key: number;
  /** When the value was made; -1 for none. For a refresh it is what is served meanwhile. */
  madeAtMs: number;
  waiting: number;
}

const NONE = -1;
/** Popularity of keys. */
const KEY_EXPONENT = 0.9;
/** Longer than any latency: the wheel of what lands in which millisecond. */
const WHEEL_MS = 1_024;

/**
 * Workers KV under `cache.remember`: one central value for each key, a copy in each data centre for up
 * to 60 seconds (of "none", too), which its own writes replace, and one flight for each key and isolate.
 */
export class KvCacheSimulation {
  readonly #scenario: CacheScenario;
  readonly #keys: number;
  readonly #regions: number;
  readonly #central: Float64Array;
  readonly #writtenAtMs: Float64Array;
  readonly #copy: Float64Array;
  readonly #copyUntilMs: Float64Array;
  readonly #flights = new Map<number, Flight>();
  readonly #wheel: Flight[][] = Array.from({ length: WHEEL_MS }, () => []);
  #nowMs = 0;
  counts: KvCacheCounts;

  constructor(scenario: CacheScenario, size: { keys: number; regions: number }) {
    this.#scenario = scenario;
    this.#keys = size.keys;
    this.#regions = size.regions;
    this.#central = new Float64Array(size.keys).fill(NONE);
    this.#writtenAtMs = new Float64Array(size.keys).fill(Number.NEGATIVE_INFINITY);
    this.#copy = new Float64Array(size.keys * size.regions).fill(NONE);
    this.#copyUntilMs = new Float64Array(size.keys * size.regions).fill(NONE);
    this.counts = this.createCounts();
  }

  /** Requests that still wait for their answer. */
  get waiting(): number {
    return [...this.#flights.values()].reduce((sum, flight) => sum + flight.waiting, 0);
  }

  createCounts(): KvCacheCounts {
    const { ttlMs, staleMs } = this.#scenario;
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

  /** Lets everything land that is due until the beginning of this whole millisecond, in order. */
  advance(toMs: number): void {
    while (this.#nowMs < toMs) {
      this.#nowMs += 1;
      this.#land();
    }
  }

  /** A request of now. */
  request(isolate: number, key: number): void {
    const flight = this.#flights.get(isolate * this.#keys + key);
    if (flight === undefined) {
      this.#read(isolate, key);
    } else if (flight.kind === "refresh" && this.#isFresh(flight.madeAtMs, true)) {
      this.#serve(flight, 1);
    } else {
      flight.waiting += 1;
      this.counts.joined += 1;
    }
    if (this.#scenario.hotReadMs === 0) this.#land();
  }

  #isFresh(madeAtMs: number, withStale: boolean): boolean {
    const { ttlMs, staleMs } = this.#scenario;
    return madeAtMs !== NONE && this.#nowMs < madeAtMs + ttlMs + (withStale ? staleMs : 0);
  }

  #read(isolate: number, key: number): void {
    const place = (isolate % this.#regions) * this.#keys + key;
    const hasCopy = this.#nowMs < (this.#copyUntilMs[place] ?? NONE);
    this.counts.kvReads += 1;
    if (!hasCopy) {
      this.counts.kvColdReads += 1;
      this.#keepCopy(place, this.#central[key] ?? NONE);
    }
    const madeAtMs = this.#copy[place] ?? NONE;
    const flight: Flight = { kind: "read", isolate, key, madeAtMs, waiting: 1 };
    this.#flights.set(isolate * this.#keys + key, flight);
    this.#landIn(flight, hasCopy ? this.#scenario.hotReadMs : this.#scenario.coldReadMs);
  }

  #keepCopy(place: number, madeAtMs: number): void {
    this.#copy[place] = madeAtMs;
    this.#copyUntilMs[place] = this.#nowMs + limits.kvEdgeTtlMs;
  }

  #landIn(flight: Flight, delayMs: number): void {
    this.#wheel[(this.#nowMs + delayMs) % WHEEL_MS]?.push(flight);
  }

  #land(): void {
    const due = this.#wheel[this.#nowMs % WHEEL_MS] ?? [];
    // With latencies of nothing, what lands adds more that lands at once.
    for (const flight of due) {
      if (flight.kind === "read") this.#landRead(flight);
      else this.#landProduct(flight);
    }
    due.length = 0;
  }

  #landRead(flight: Flight): void {
    if (this.#isFresh(flight.madeAtMs, true)) {
      this.#serve(flight, flight.waiting);
      flight.waiting = 0;
      if (this.#isFresh(flight.madeAtMs, false)) {
        this.#flights.delete(flight.isolate * this.#keys + flight.key);
        return;
      }
      flight.kind = "refresh";
    } else flight.kind = "produce";
    this.counts.producerCalls += 1;
    this.#landIn(flight, this.#scenario.producerMs);
  }

  #landProduct(flight: Flight): void {
    this.counts.answers += flight.waiting;
    this.counts.misses += flight.waiting;
    this.#flights.delete(flight.isolate * this.#keys + flight.key);
    this.#write(flight);
  }

  #write({ isolate, key }: Flight): void {
    if (this.#nowMs - (this.#writtenAtMs[key] ?? 0) < limits.kvWriteIntervalMs) {
      this.counts.kvRefusedWrites += 1;
      return;
    }
    this.counts.kvWrites += 1;
    this.#writtenAtMs[key] = this.#nowMs;
    this.#central[key] = this.#nowMs;
    this.#keepCopy((isolate % this.#regions) * this.#keys + key, this.#nowMs);
  }

  #serve(flight: Flight, answers: number): void {
    if (answers === 0) return;
    const { counts } = this;
    const ageMs = this.#nowMs - flight.madeAtMs;
    counts.answers += answers;
    counts[this.#isFresh(flight.madeAtMs, false) ? "freshHits" : "staleHits"] += answers;
    if (flight.madeAtMs < (this.#central[flight.key] ?? NONE)) counts.behindHits += answers;
    counts.maxAgeMs = Math.max(counts.maxAgeMs, ageMs);
    const second = Math.floor(ageMs / 1_000);
    counts.ageSeconds[second] = (counts.ageSeconds[second] ?? 0) + answers;
  }
}

/** What came out, and for how long it was counted. */
export interface KvCacheResult {
  readonly scenario: CacheScenario;
  readonly measuredSeconds: number;
  readonly requests: number;
  readonly answersBefore: number;
  readonly waitingAtEnd: number;
  readonly counts: KvCacheCounts;
}

/** The first half of the time fills the cache and is not counted. */
export function simulateKvCache(settings: Settings, scenario: CacheScenario): KvCacheResult {
  const { cacheKeys, isolates, regions, requestsPerSecond, seconds, seed } = settings;
  const random = createRandom(seed);
  const drawKey = createZipf(cacheKeys, KEY_EXPONENT, random);
  const simulation = new KvCacheSimulation(scenario, { keys: cacheKeys, regions });
  const half = Math.floor((requestsPerSecond * seconds) / 2);
  const requests = half * 2;
  let answersBefore = 0;
  for (let index = 0; index < requests; index += 1) {
    if (index === half) {
      answersBefore = simulation.counts.answers;
      simulation.counts = simulation.createCounts();
    }
    simulation.advance(Math.floor((index / requestsPerSecond) * 1_000));
    simulation.request(Math.floor(random() * isolates), drawKey());
  }
  const { counts, waiting } = simulation;
  const measuredSeconds = half / requestsPerSecond;
  return { scenario, measuredSeconds, requests, answersBefore, waitingAtEnd: waiting, counts };
}
