import { describeError, type Logger } from "../observability/logger.ts";
import { StoreError } from "../resilience/store-error.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { addGenerations, decodeEntry, encodeEntry, isFresh } from "./entry.ts";
import type { Generations } from "./generations.ts";
import { claimKey, type KeyClaim, releaseClaim, storeClaimed } from "./key-claim.ts";
import type { ResilientStore } from "./resilient-store.ts";
import type { Computation, ComputationResult, SingleFlight } from "./single-flight.ts";
import { toStoreTtl } from "./ttl.ts";
import { type TakeCacheLock, waitForTurn } from "./wait-for-turn.ts";

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
  /** Takes the lock under which one process produces; undefined: each process produces for itself. */
  readonly takeLock: TakeCacheLock | undefined;
}

/** The value that `remember` returns, and whether a producer made it. */
export interface RememberResult {
  readonly value: unknown;
  readonly produced: boolean;
}

/** Options of {@link RememberRunner}. */
export interface RememberRunnerOptions {
  readonly singleFlight: SingleFlight;
  /** Time to wait for the producer of another process, in milliseconds. */
  readonly producerWaitMs: number;
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
  readonly #producerWaitMs: number;
  readonly #now: () => number;
  readonly #background: ((work: Promise<unknown>) => void) | undefined;
  readonly #logger: Logger | undefined;

  constructor(options: RememberRunnerOptions) {
    this.#singleFlight = options.singleFlight;
    this.#producerWaitMs = options.producerWaitMs;
    this.#now = options.now;
    this.#background = options.background;
    this.#logger = options.logger;
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
      return await produceOnly(call);
    }
    const entry = decodeEntry(stored);
    if (isFresh(entry, this.#now())) return { stored, produced: false };
    if (!isFresh(entry, this.#now(), call.staleMs)) {
      return await this.#produceInTurn(call, computation, stored, this.#producerWaitMs);
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
      (computation) => this.#produceInTurn(call, computation, stale, 0),
      call.generationKeys,
    );
    this.#keepAlive(result.catch((error) => this.#warn("could not be refreshed", call, error)));
  }

  /**
   * Runs the producer, with `takeLock` in one process at a time; the others get the entry that it stores.
   *
   * @param waitMs time to wait for another process, in milliseconds; 0: returns `stored` if another produces
   */
  async #produceInTurn(
    call: RememberCall,
    computation: Computation,
    stored: unknown,
    waitMs: number,
  ): Promise<ComputationResult> {
    const { store, storeKey, takeLock } = call;
    if (takeLock === undefined) return await this.#produce(call, computation, stored);
    let turn: Awaited<ReturnType<typeof waitForTurn>>;
    try {
      turn = await waitForTurn({ store, storeKey, takeLock, waitMs, now: this.#now });
    } catch (error) {
      this.#warn("could not be locked", call, error);
      return await this.#produce(call, computation, stored);
    }
    if (turn.type === "found") return { stored: turn.stored, produced: false };
    if (turn.type === "timedOut") {
      if (waitMs === 0) return { stored, produced: false };
      return await this.#produce(call, computation, stored);
    }
    try {
      return await this.#produce(call, computation, turn.stored);
    } finally {
      // The caller need not wait for it, and a failed release was logged by the caller of the store.
      this.#keepAlive(turn.lock.release().catch(() => {}));
    }
  }

  /**
   * Runs the producer and stores its result, unless the key is changed meanwhile.
   *
   * @param stored the entry that is replaced; not fresh
   */
  async #produce(
    call: RememberCall,
    computation: Computation,
    stored: unknown,
  ): Promise<ComputationResult> {
    const { key, store, storeKey, ttlMs, staleMs } = call;
    // Both before the producer runs: a change meanwhile makes its result a miss.
    let claim: KeyClaim | undefined;
    let generations: Generations | undefined;
    try {
      claim = await this.#claim(call, stored);
      if (claim?.type === "found") return { stored: claim.stored, produced: false };
      if (call.generationKeys.length > 0) {
        generations = await store.currentGenerations(call.generationKeys);
      }
    } catch (error) {
      this.#warn("could not be written", call, error);
      return await produceOnly(call);
    }
    let entry: string | undefined;
    try {
      const value = await call.producer();
      if (value !== undefined) entry = encodeEntry(key, value, this.#now() + ttlMs);
    } finally {
      if (entry === undefined && claim !== undefined) this.#release(call, claim);
    }
    if (entry === undefined) return { stored: undefined, produced: true };
    const text = generations === undefined ? entry : addGenerations(entry, generations);
    if (ttlMs > 0 && !computation.cancelled && claim?.type !== "contended") {
      const storeTtlMs = toStoreTtl(ttlMs + staleMs);
      computation.writing = this.#write(call, () =>
        claim === undefined
          ? store.set(storeKey, text, storeTtlMs)
          : storeClaimed(store, storeKey, claim.expected, text, storeTtlMs),
      );
      await computation.writing;
    }
    return { stored: text, produced: true };
  }

  /** Returns undefined if the result overwrites what other processes have written. */
  async #claim(call: RememberCall, stored: unknown): Promise<KeyClaim | undefined> {
    const { store, storeKey, takeLock } = call;
    // An eventually consistent store would not return the claim that was just written.
    const mayLock = takeLock !== undefined && !store.isEventuallyConsistent;
    const isNoticed = call.ttlMs > 0 && (store.comparesAndSets || mayLock);
    return isNoticed ? await claimKey(store, storeKey, stored, this.#now) : undefined;
  }

  /** Gives a claim up, since nothing is stored. The caller need not wait for it. */
  #release({ store, storeKey }: RememberCall, claim: KeyClaim): void {
    if (claim.type !== "claimed") return;
    this.#keepAlive(releaseClaim(store, storeKey, claim.expected).catch(() => {}));
  }

  async #write(call: RememberCall, write: () => unknown): Promise<void> {
    try {
      await write();
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

/** Runs the producer without storing its result. */
async function produceOnly(call: RememberCall): Promise<ComputationResult> {
  const value = await call.producer();
  if (value === undefined) return { stored: undefined, produced: true };
  const entry = encodeEntry(call.key, value, Number.POSITIVE_INFINITY);
  return { stored: entry, produced: true };
}

/** Reads a key; converts a synchronous error into a rejection. */
function tryGet(store: ResilientStore, key: string): unknown {
  try {
    return store.get(key);
  } catch (error) {
    return Promise.reject(error);
  }
}
