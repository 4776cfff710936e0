import { Arrivals } from "./arrivals.ts";
import type { CacheScenario, KvCacheCounts } from "./cache-scenario.ts";
import { limits } from "./platform.ts";

/** State of a key in an isolate. With `REFRESH`, the stale value is served meanwhile. */
const IDLE = 0;
const READ = 1;
const PRODUCE = 2;
const REFRESH = 3;

const NONE = -1;

/**
 * Model of one key of Workers KV under `cache.remember`: a central value, a copy in each data centre for
 * up to 60 seconds (also of a missing value), which local writes replace, and single flight per isolate.
 */
export class KvKey {
  readonly #scenario: CacheScenario;
  readonly #regionOf: Uint16Array;
  /** Creation time of the value of each data centre's copy, and the copy's expiry. */
  readonly #copy: Float64Array;
  readonly #copyUntilMs: Float64Array;
  /** By isolate: its state, the creation time of its value, and the number of waiting requests. */
  readonly #doing: Uint8Array;
  readonly #madeAtMs: Float64Array;
  readonly #waiting: Uint32Array;
  readonly #hotReads: Arrivals;
  readonly #coldReads: Arrivals;
  readonly #products: Arrivals;
  #central = NONE;
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #nowMs = 0;
  counts: KvCacheCounts;

  constructor(
    scenario: CacheScenario,
    { isolates, regions }: { readonly isolates: number; readonly regions: number },
    counts: KvCacheCounts,
  ) {
    this.#scenario = scenario;
    this.counts = counts;
    this.#regionOf = Uint16Array.from({ length: isolates }, (_, isolate) => isolate % regions);
    this.#copy = new Float64Array(regions).fill(NONE);
    this.#copyUntilMs = new Float64Array(regions).fill(NONE);
    this.#doing = new Uint8Array(isolates);
    this.#madeAtMs = new Float64Array(isolates);
    this.#waiting = new Uint32Array(isolates);
    this.#hotReads = new Arrivals(scenario.hotReadMs, isolates);
    this.#coldReads = new Arrivals(scenario.coldReadMs, isolates);
    this.#products = new Arrivals(scenario.producerMs, isolates);
  }

  /** Returns the number of waiting requests. */
  get waiting(): number {
    return this.#waiting.reduce((sum, count) => sum + count, 0);
  }

  /** Resets the model to an unused key. */
  clear(counts: KvCacheCounts): void {
    this.counts = counts;
    this.#copy.fill(NONE);
    this.#copyUntilMs.fill(NONE);
    this.#doing.fill(IDLE);
    this.#waiting.fill(0);
    this.#hotReads.clear();
    this.#coldReads.clear();
    this.#products.clear();
    this.#central = NONE;
    this.#writtenAtMs = Number.NEGATIVE_INFINITY;
    this.#nowMs = 0;
  }

  /** Processes all arrivals up to a time, in order. */
  advance(toMs: number): void {
    for (;;) {
      const hotMs = this.#hotReads.nextMs;
      const coldMs = this.#coldReads.nextMs;
      const productMs = this.#products.nextMs;
      const nextMs = Math.min(hotMs, coldMs, productMs);
      if (nextMs > toMs) break;
      this.#nowMs = nextMs;
      if (nextMs === hotMs) this.#endRead(this.#hotReads.take());
      else if (nextMs === coldMs) this.#endRead(this.#coldReads.take());
      else this.#endProduct(this.#products.take());
    }
    this.#nowMs = toMs;
  }

  /** Simulates a request in an isolate; times must not decrease. */
  request(isolate: number, nowMs: number): void {
    this.advance(nowMs);
    const doing = this.#doing[isolate];
    if (doing === IDLE) {
      this.#read(isolate);
    } else if (doing === REFRESH && this.#isFresh(this.#madeAtMs[isolate] ?? NONE, true)) {
      this.#serve(this.#madeAtMs[isolate] ?? NONE, 1);
    } else {
      this.#waiting[isolate] = (this.#waiting[isolate] ?? 0) + 1;
      this.counts.joined += 1;
    }
    // Events without latency have arrived.
    this.advance(nowMs);
  }

  #isFresh(madeAtMs: number, withStale: boolean): boolean {
    const { ttlMs, staleMs } = this.#scenario;
    return madeAtMs !== NONE && this.#nowMs < madeAtMs + ttlMs + (withStale ? staleMs : 0);
  }

  #read(isolate: number): void {
    const region = this.#regionOf[isolate] ?? 0;
    const hasCopy = this.#nowMs < (this.#copyUntilMs[region] ?? NONE);
    this.counts.kvReads += 1;
    if (!hasCopy) {
      this.counts.kvColdReads += 1;
      this.#keepCopy(region, this.#central);
    }
    this.#doing[isolate] = READ;
    this.#madeAtMs[isolate] = this.#copy[region] ?? NONE;
    this.#waiting[isolate] = 1;
    (hasCopy ? this.#hotReads : this.#coldReads).send(isolate, this.#nowMs);
  }

  #keepCopy(region: number, madeAtMs: number): void {
    this.#copy[region] = madeAtMs;
    this.#copyUntilMs[region] = this.#nowMs + limits.kvEdgeTtlMs;
  }

  #endRead(isolate: number): void {
    const madeAtMs = this.#madeAtMs[isolate] ?? NONE;
    if (this.#isFresh(madeAtMs, true)) {
      this.#serve(madeAtMs, this.#waiting[isolate] ?? 0);
      this.#waiting[isolate] = 0;
      if (this.#isFresh(madeAtMs, false)) {
        this.#doing[isolate] = IDLE;
        return;
      }
      this.#doing[isolate] = REFRESH;
    } else this.#doing[isolate] = PRODUCE;
    this.counts.producerCalls += 1;
    this.#products.send(isolate, this.#nowMs);
  }

  #endProduct(isolate: number): void {
    const answers = this.#waiting[isolate] ?? 0;
    this.counts.answers += answers;
    this.counts.misses += answers;
    this.#waiting[isolate] = 0;
    this.#doing[isolate] = IDLE;
    if (this.#nowMs - this.#writtenAtMs < limits.kvWriteIntervalMs) {
      this.counts.kvRefusedWrites += 1;
      return;
    }
    this.counts.kvWrites += 1;
    this.#writtenAtMs = this.#nowMs;
    this.#central = this.#nowMs;
    this.#keepCopy(this.#regionOf[isolate] ?? 0, this.#nowMs);
  }

  #serve(madeAtMs: number, answers: number): void {
    if (answers === 0) return;
    const { counts } = this;
    const ageMs = this.#nowMs - madeAtMs;
    counts.answers += answers;
    counts[this.#isFresh(madeAtMs, false) ? "freshHits" : "staleHits"] += answers;
    if (madeAtMs < this.#central) counts.behindHits += answers;
    if (ageMs > counts.maxAgeMs) counts.maxAgeMs = ageMs;
    const second = Math.floor(ageMs / 1_000);
    counts.ageSeconds[second] = (counts.ageSeconds[second] ?? 0) + answers;
  }
}
