import { describeError, type Logger } from "../observability/logger.ts";
import { StoreError } from "../resilience/store-error.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { addGenerations, decodeEntry, encodeEntry, isFresh } from "./entry.ts";
import type { Generations } from "./generations.ts";
import type { ResilientStore } from "./resilient-store.ts";
import type { Computation, ComputationResult, SingleFlight } from "./single-flight.ts";
import { toStoreTtl } from "./ttl.ts";

/** One call of `remember`, with its arguments checked. */
export interface RememberCall {
  readonly store: ResilientStore;
  readonly storeKey: string;
  readonly key: string;
  readonly producer: () => unknown;
  readonly ttlMs: number;
  /** Zero or more. */
  readonly staleMs: number;
  /** Keys of the generations that a new entry depends on: those of its tags and of its namespaces. */
  readonly generationKeys: readonly string[];
}

/** The value that `remember` returns, and whether a producer made it. */
export interface RememberResult {
  readonly value: unknown;
  readonly produced: boolean;
}

/** Options of {@link RememberRunner}. */
export interface RememberRunnerOptions {
  readonly singleFlight: SingleFlight;
  readonly now: () => number;
  readonly background: ((work: Promise<unknown>) => void) | undefined;
  readonly logger: Logger | undefined;
}

/**
 * Implementation of `remember`: looks a key up, runs one producer for all callers, serves stale values
 * during a refresh, and works without a store that fails.
 */
export class RememberRunner {
  readonly #singleFlight: SingleFlight;
  readonly #now: () => number;
  readonly #background: ((work: Promise<unknown>) => void) | undefined;
  readonly #logger: Logger | undefined;

  constructor({ singleFlight, now, background, logger }: RememberRunnerOptions) {
    this.#singleFlight = singleFlight;
    this.#now = now;
    this.#background = background;
    this.#logger = logger;
  }

  /** Returns the result, or a promise of it; the promise resolves to undefined when the caller must retry. */
  find(call: RememberCall): RememberResult | Promise<RememberResult | undefined> {
    const { store, storeKey, staleMs } = call;
    const computation = this.#singleFlight.find(store, storeKey);
    if (computation === undefined) {
      const reading = tryGet(store, storeKey);
      // A store in memory returns at once, and then a hit needs no single flight.
      const entry = isThenable(reading) ? undefined : decodeEntry(reading);
      if (isFresh(entry, this.#now())) return { value: entry.value, produced: false };
      return this.#resultOf(call, this.#startLookup(call, reading));
    }
    const stale = decodeEntry(computation.stale);
    if (isFresh(stale, this.#now(), staleMs)) return { value: stale.value, produced: false };
    return this.#resultOf(call, this.#singleFlight.join(computation));
  }

  async #resultOf(
    call: RememberCall,
    pending: Promise<ComputationResult | undefined>,
  ): Promise<RememberResult | undefined> {
    const result = await pending;
    if (result === undefined) return undefined;
    const entry = decodeEntry(result.stored);
    if (result.produced) return { value: entry?.value, produced: true };
    // The caller that ran the lookup may have accepted a value that is too stale for this one.
    return isFresh(entry, this.#now(), call.staleMs)
      ? { value: entry.value, produced: false }
      : undefined;
  }

  #startLookup(call: RememberCall, reading: unknown): Promise<ComputationResult> {
    const { result } = this.#singleFlight.start(
      call.store,
      call.storeKey,
      undefined,
      (computation) => this.#lookup(call, reading, computation),
      call.generationKeys,
    );
    // Others may wait for it after this caller's request has ended.
    this.#keepAlive(result.catch(() => {}));
    return result;
  }

  async #lookup(
    call: RememberCall,
    reading: unknown,
    computation: Computation,
  ): Promise<ComputationResult> {
    let stored: unknown;
    try {
      stored = await reading;
    } catch (error) {
      this.#warn("could not be read", call, error);
      // Writing to a store that has just failed would make the caller wait a second time.
      return await this.#produce(call, computation, false);
    }
    const entry = decodeEntry(stored);
    if (isFresh(entry, this.#now())) return { stored, produced: false };
    if (!isFresh(entry, this.#now(), call.staleMs)) {
      return await this.#produce(call, computation, true);
    }
    // A key deleted since it was read must not come back through a refresh.
    if (!computation.cancelled) this.#refresh(call, stored);
    return { stored, produced: false };
  }

  #refresh(call: RememberCall, stale: unknown): void {
    const { result } = this.#singleFlight.start(
      call.store,
      call.storeKey,
      stale,
      (computation) => this.#produce(call, computation, true),
      call.generationKeys,
    );
    this.#keepAlive(result.catch((error) => this.#warn("could not be refreshed", call, error)));
  }

  async #produce(
    call: RememberCall,
    computation: Computation,
    keeps: boolean,
  ): Promise<ComputationResult> {
    const { key, ttlMs, staleMs } = call;
    // Read before the producer runs: an invalidation meanwhile makes its result a miss.
    const dependsOn = keeps && call.generationKeys.length > 0;
    const generations = dependsOn ? await this.#readGenerations(call) : undefined;
    const value = await call.producer();
    if (value === undefined) return { stored: undefined, produced: true };
    const entry = encodeEntry(key, value, this.#now() + ttlMs);
    const text = generations === undefined ? entry : addGenerations(entry, generations);
    const mayStore = keeps && (!dependsOn || generations !== undefined);
    if (mayStore && ttlMs > 0 && !computation.cancelled) {
      computation.writing = this.#write(call, text, toStoreTtl(ttlMs + staleMs));
      await computation.writing;
    }
    return { stored: text, produced: true };
  }

  /** Returns undefined if the store fails: the result is then not stored. */
  async #readGenerations(call: RememberCall): Promise<Generations | undefined> {
    try {
      return await call.store.currentGenerations(call.generationKeys);
    } catch (error) {
      this.#warn("could not be written", call, error);
      return undefined;
    }
  }

  async #write(call: RememberCall, text: string, ttlMs: number | undefined): Promise<void> {
    try {
      await call.store.set(call.storeKey, text, ttlMs);
    } catch (error) {
      this.#warn("could not be written", call, error);
    }
  }

  #warn(failure: string, call: RememberCall, error: unknown): void {
    // A StoreError was already logged by the StoreCaller, once instead of for every key.
    if (error instanceof StoreError) return;
    logSafely(this.#logger, "warn", `A cache entry ${failure}.`, {
      key: call.key,
      error: describeError(error),
    });
  }

  #keepAlive(work: Promise<unknown>): void {
    this.#background?.(work);
  }
}

/** Reads a key; converts a synchronous error into a rejection. */
function tryGet(store: ResilientStore, key: string): unknown {
  try {
    return store.get(key);
  } catch (error) {
    return Promise.reject(error);
  }
}
