import { describeError, type Logger } from "../observability/logger.ts";
import { isThenable } from "../pipeline/is-thenable.ts";
import type { CacheStore } from "./cache-store.ts";
import { decodeEntry, encodeEntry, isFresh } from "./entry.ts";
import type { Flight, Flights, Landing } from "./flights.ts";
import { toStoreTtl } from "./ttl.ts";

/** One call of `remember`, made ready. */
export interface Recall {
  readonly store: CacheStore;
  readonly storeKey: string;
  readonly key: string;
  readonly producer: () => unknown;
  readonly ttlMs: number;
  /** Zero or more. */
  readonly staleMs: number;
}

/** What `remember` found or made. */
export interface Answer {
  readonly value: unknown;
  readonly produced: boolean;
}

/** Where {@link Recaller} takes what it needs. */
export interface RecallerOptions {
  readonly flights: Flights;
  readonly now: () => number;
  readonly background: ((work: Promise<unknown>) => void) | undefined;
  readonly logger: Logger | undefined;
}

/**
 * The work behind `remember`: look up, compute once, serve stale, do without a store that fails.
 */
export class Recaller {
  readonly #flights: Flights;
  readonly #now: () => number;
  readonly #background: ((work: Promise<unknown>) => void) | undefined;
  readonly #logger: Logger | undefined;

  constructor({ flights, now, background, logger }: RecallerOptions) {
    this.#flights = flights;
    this.#now = now;
    this.#background = background;
    this.#logger = logger;
  }

  /** An answer where one is at hand; else a promise of one, or of the advice to ask again. */
  find(recall: Recall): Answer | Promise<Answer | undefined> {
    const { store, storeKey, staleMs } = recall;
    const flight = this.#flights.find(store, storeKey);
    if (flight === undefined) {
      const stored = tryGet(store, storeKey);
      // A store in memory answers at once, and then a hit needs no flight.
      const entry = isThenable(stored) ? undefined : decodeEntry(stored);
      if (isFresh(entry, this.#now())) return { value: entry.value, produced: false };
      return this.#answerFrom(recall, this.#lead(recall, stored));
    }
    const stale = decodeEntry(flight.stale);
    if (isFresh(stale, this.#now(), staleMs)) return { value: stale.value, produced: false };
    return this.#answerFrom(recall, this.#flights.join(flight));
  }

  async #answerFrom(
    recall: Recall,
    landing: Promise<Landing | undefined>,
  ): Promise<Answer | undefined> {
    const landed = await landing;
    if (landed === undefined) return undefined;
    const entry = decodeEntry(landed.stored);
    if (landed.produced) return { value: entry?.value, produced: true };
    // A leader may have accepted what is too stale for this caller.
    return isFresh(entry, this.#now(), recall.staleMs)
      ? { value: entry.value, produced: false }
      : undefined;
  }

  #lead(recall: Recall, stored: unknown): Promise<Landing> {
    const { landing } = this.#flights.start(recall.store, recall.storeKey, undefined, (flight) =>
      this.#lookUp(recall, stored, flight),
    );
    // Others may wait for it after this caller's request has ended.
    this.#keepAlive(landing.catch(() => {}));
    return landing;
  }

  async #lookUp(recall: Recall, reading: unknown, flight: Flight): Promise<Landing> {
    const stored = await this.#settleRead(recall, reading);
    const entry = decodeEntry(stored);
    if (isFresh(entry, this.#now())) return { stored, produced: false };
    if (!isFresh(entry, this.#now(), recall.staleMs)) return await this.#produce(recall, flight);
    // A key deleted since it was read must not come back through a refresh.
    if (!flight.abandoned) this.#refresh(recall, stored);
    return { stored, produced: false };
  }

  #refresh(recall: Recall, stale: unknown): void {
    const { landing } = this.#flights.start(recall.store, recall.storeKey, stale, (flight) =>
      this.#produce(recall, flight),
    );
    this.#keepAlive(landing.catch((error) => this.#warn("could not be refreshed", recall, error)));
  }

  async #produce(recall: Recall, flight: Flight): Promise<Landing> {
    const { key, ttlMs, staleMs } = recall;
    const value = await recall.producer();
    if (value === undefined) return { stored: undefined, produced: true };
    const text = encodeEntry(key, value, this.#now() + ttlMs);
    if (ttlMs > 0 && !flight.abandoned) {
      flight.writing = this.#write(recall, text, toStoreTtl(ttlMs + Math.max(0, staleMs)));
      await flight.writing;
    }
    return { stored: text, produced: true };
  }

  async #settleRead(recall: Recall, reading: unknown): Promise<unknown> {
    try {
      return await reading;
    } catch (error) {
      this.#warn("could not be read", recall, error);
      return undefined;
    }
  }

  async #write(recall: Recall, text: string, ttlMs: number | undefined): Promise<void> {
    try {
      await recall.store.set(recall.storeKey, text, ttlMs);
    } catch (error) {
      this.#warn("could not be written", recall, error);
    }
  }

  #warn(failure: string, recall: Recall, error: unknown): void {
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
