import { describeError, type Logger } from "../observability/logger.ts";
import { isThenable } from "../util/is-thenable.ts";
import type { CacheStore } from "./cache-store.ts";
import { decodeEntry, encodeEntry, isFresh } from "./entry.ts";
import type { Computation, ComputationResult, SingleFlight } from "./single-flight.ts";
import { toStoreTtl } from "./ttl.ts";

/** One call of `remember`, made ready. */
export interface RememberCall {
  readonly store: CacheStore;
  readonly storeKey: string;
  readonly key: string;
  readonly producer: () => unknown;
  readonly ttlMs: number;
  /** Zero or more. */
  readonly staleMs: number;
}

/** What `remember` found or made. */
export interface RememberResult {
  readonly value: unknown;
  readonly produced: boolean;
}

/** Where {@link RememberRunner} takes what it needs. */
export interface RememberRunnerOptions {
  readonly singleFlight: SingleFlight;
  readonly now: () => number;
  readonly background: ((work: Promise<unknown>) => void) | undefined;
  readonly logger: Logger | undefined;
}

/**
 * The work behind `remember`: look up, compute once, serve stale, do without a store that fails.
 */
export class RememberRunner {
  readonly #singleFlight: SingleFlight;
  readonly #now: () => number;
  readonly #background: ((work: Promise<unknown>) => void) | undefined;
  readonly #logger: Logger | undefined;

  constructor({ singleFlight: flights, now, background, logger }: RememberRunnerOptions) {
    this.#singleFlight = flights;
    this.#now = now;
    this.#background = background;
    this.#logger = logger;
  }

  /** An answer where one is at hand; else a promise of one, or of the advice to ask again. */
  find(recall: RememberCall): RememberResult | Promise<RememberResult | undefined> {
    const { store, storeKey, staleMs } = recall;
    const flight = this.#singleFlight.find(store, storeKey);
    if (flight === undefined) {
      const stored = tryGet(store, storeKey);
      // A store in memory answers at once, and then a hit needs no flight.
      const entry = isThenable(stored) ? undefined : decodeEntry(stored);
      if (isFresh(entry, this.#now())) return { value: entry.value, produced: false };
      return this.#resultOf(recall, this.#startLookup(recall, stored));
    }
    const stale = decodeEntry(flight.stale);
    if (isFresh(stale, this.#now(), staleMs)) return { value: stale.value, produced: false };
    return this.#resultOf(recall, this.#singleFlight.join(flight));
  }

  async #resultOf(
    recall: RememberCall,
    landing: Promise<ComputationResult | undefined>,
  ): Promise<RememberResult | undefined> {
    const landed = await landing;
    if (landed === undefined) return undefined;
    const entry = decodeEntry(landed.stored);
    if (landed.produced) return { value: entry?.value, produced: true };
    // A leader may have accepted what is too stale for this caller.
    return isFresh(entry, this.#now(), recall.staleMs)
      ? { value: entry.value, produced: false }
      : undefined;
  }

  #startLookup(recall: RememberCall, stored: unknown): Promise<ComputationResult> {
    const { result: landing } = this.#singleFlight.start(
      recall.store,
      recall.storeKey,
      undefined,
      (flight) => this.#lookup(recall, stored, flight),
    );
    // Others may wait for it after this caller's request has ended.
    this.#keepAlive(landing.catch(() => {}));
    return landing;
  }

  async #lookup(
    recall: RememberCall,
    reading: unknown,
    flight: Computation,
  ): Promise<ComputationResult> {
    const stored = await this.#settleRead(recall, reading);
    const entry = decodeEntry(stored);
    if (isFresh(entry, this.#now())) return { stored, produced: false };
    if (!isFresh(entry, this.#now(), recall.staleMs)) return await this.#produce(recall, flight);
    // A key deleted since it was read must not come back through a refresh.
    if (!flight.cancelled) this.#refresh(recall, stored);
    return { stored, produced: false };
  }

  #refresh(recall: RememberCall, stale: unknown): void {
    const { result: landing } = this.#singleFlight.start(
      recall.store,
      recall.storeKey,
      stale,
      (flight) => this.#produce(recall, flight),
    );
    this.#keepAlive(landing.catch((error) => this.#warn("could not be refreshed", recall, error)));
  }

  async #produce(recall: RememberCall, flight: Computation): Promise<ComputationResult> {
    const { key, ttlMs, staleMs } = recall;
    const value = await recall.producer();
    if (value === undefined) return { stored: undefined, produced: true };
    const text = encodeEntry(key, value, this.#now() + ttlMs);
    if (ttlMs > 0 && !flight.cancelled) {
      flight.writing = this.#write(recall, text, toStoreTtl(ttlMs + Math.max(0, staleMs)));
      await flight.writing;
    }
    return { stored: text, produced: true };
  }

  async #settleRead(recall: RememberCall, reading: unknown): Promise<unknown> {
    try {
      return await reading;
    } catch (error) {
      this.#warn("could not be read", recall, error);
      return undefined;
    }
  }

  async #write(recall: RememberCall, text: string, ttlMs: number | undefined): Promise<void> {
    try {
      await recall.store.set(recall.storeKey, text, ttlMs);
    } catch (error) {
      this.#warn("could not be written", recall, error);
    }
  }

  #warn(failure: string, recall: RememberCall, error: unknown): void {
    this.#logger?.warn(`A cache entry ${failure}.`, {
      key: recall.key,
      error: describeError(error),
    });
  }

  #keepAlive(work: Promise<unknown>): void {
    this.#background?.(work);
  }
}

/** What the store answers, at once or later; what it throws at once becomes a rejection. */
function tryGet(store: CacheStore, key: string): unknown {
  try {
    return store.get(key);
  } catch (error) {
    return Promise.reject(error);
  }
}
