import type { CacheStore } from "./cache-store.ts";

/** How a flight ended for everybody who waited. */
export interface ComputationResult {
  /** What the store holds or would hold: text for each waiter to decode into a copy of its own. */
  readonly stored: unknown;
  /** Whether a producer made it; `false` when the store had it. */
  readonly produced: boolean;
}

/** One look-up or computation of one key, shared by all who ask for it meanwhile. */
export interface Computation {
  readonly startedAtMs: number;
  readonly result: Promise<ComputationResult>;
  /** The expired text that this flight is about to replace: served to those who accept stale. */
  readonly stale: unknown;
  /** Somebody waited for it as long as one waits: nobody joins it any more. */
  timedOut: boolean;
  /** The key was set or deleted since: what this flight makes must not be stored. */
  cancelled: boolean;
  /** The write of its result, while it runs; it never rejects. */
  writing: Promise<void> | undefined;
}

/** More than this many for one key means that requests died over it: the eldest is forgotten. */
const maxComputationsPerKey = 4;

/**
 * Who is computing which key in this isolate.
 *
 * A key may have several flights: on Workers a promise dies silently with the request that made it,
 * so after `timeoutMs` another caller starts anew, and the overdue one may still land.
 */
export class SingleFlight {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #byStore = new WeakMap<CacheStore, Map<string, Computation[]>>();

  constructor(timeoutMs: number, now: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** The flight to join; `undefined` when there is none, or only one that is overdue. */
  find(store: CacheStore, key: string): Computation | undefined {
    const flight = this.#byStore.get(store)?.get(key)?.at(-1);
    if (flight === undefined || flight.timedOut || this.#remainingMs(flight) <= 0) return undefined;
    return flight;
  }

  /**
   * Starts a flight.
   *
   * @param run makes the landing; it is called when others can already find the flight, so that no
   *   second one starts from inside it
   */
  start(
    store: CacheStore,
    key: string,
    stale: unknown,
    run: (flight: Computation) => Promise<ComputationResult>,
  ): Computation {
    const flight: Computation = {
      startedAtMs: this.#now(),
      result: Promise.resolve()
        .then(() => run(flight))
        .finally(() => this.#remove(store, key, flight)),
      stale,
      timedOut: false,
      cancelled: false,
      writing: undefined,
    };
    const running = this.#running(store, key);
    running.push(flight);
    if (running.length > maxComputationsPerKey) running.shift();
    return flight;
  }

  /**
   * Waits for a flight that another caller leads.
   *
   * @returns `undefined` when it did not land in time: its request is gone, or its producer is slow
   */
  async join(flight: Computation): Promise<ComputationResult | undefined> {
    const landing = await settleWithin(flight.result, this.#remainingMs(flight));
    if (landing === undefined) flight.timedOut = true;
    return landing;
  }

  /**
   * Keeps the key's flights from storing what they make, and from being joined.
   *
   * @returns a promise while one of them is writing, so that a later write comes after it
   */
  cancel(store: CacheStore, key: string): Promise<unknown> | undefined {
    const keys = this.#byStore.get(store);
    const running = keys?.get(key);
    if (keys === undefined || running === undefined) return undefined;
    keys.delete(key);
    const writes: Promise<unknown>[] = [];
    for (const flight of running) {
      flight.cancelled = true;
      if (flight.writing === undefined) continue;
      writes.push(settleWithin(flight.writing, this.#remainingMs(flight)));
    }
    return writes.length === 0 ? undefined : Promise.all(writes);
  }

  /** {@link cancel} for every key that begins with `prefix`. */
  async cancelAll(store: CacheStore, prefix: string): Promise<void> {
    const keys = Array.from(this.#byStore.get(store)?.keys() ?? []);
    const abandoned = keys.filter((key) => key.startsWith(prefix));
    await Promise.all(abandoned.map((key) => this.cancel(store, key)));
  }

  #running(store: CacheStore, key: string): Computation[] {
    let keys = this.#byStore.get(store);
    if (keys === undefined) {
      keys = new Map();
      this.#byStore.set(store, keys);
    }
    let running = keys.get(key);
    if (running === undefined) {
      running = [];
      keys.set(key, running);
    }
    return running;
  }

  #remove(store: CacheStore, key: string, flight: Computation): void {
    const keys = this.#byStore.get(store);
    const running = keys?.get(key);
    const index = running?.indexOf(flight) ?? -1;
    if (keys === undefined || running === undefined || index === -1) return;
    running.splice(index, 1);
    if (running.length === 0) keys.delete(key);
  }

  #remainingMs(flight: Computation): number {
    return flight.startedAtMs + this.#timeoutMs - this.#now();
  }
}

/** The longest delay a timer takes; beyond it, it would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The promise's outcome, or `undefined` when it has not settled after so long. */
async function settleWithin<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  if (limitMs > maxTimerMs) return await promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
