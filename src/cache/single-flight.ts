import { maxTimerMs } from "../util/clock.ts";
import { withDeadline } from "../util/with-deadline.ts";

/** Result of a computation, shared by all its waiters. */
export interface ComputationResult {
  /** The entry as the store holds it: a string, which each waiter decodes into a separate copy. */
  readonly stored: unknown;
  /** True when a producer made it, false when the store had it. */
  readonly produced: boolean;
}

/** One lookup or production of one key, shared by all callers that ask for the key meanwhile. */
export interface Computation {
  readonly startedAtMs: number;
  readonly result: Promise<ComputationResult>;
  /** The expired entry that this computation is about to replace, for callers that accept stale values. */
  readonly stale: unknown;
  /** Keys of the generations that its result depends on. */
  readonly generationKeys: readonly string[];
  /** A waiter timed out: new callers start their own computation. */
  timedOut: boolean;
  /** The key was set or deleted since: the result must not be stored. */
  cancelled: boolean;
  /** The write of the result, while it runs; it never rejects. */
  writing: Promise<void> | undefined;
}

/** More than this many of one key mean that requests died before they finished: the oldest is dropped. */
const maxComputationsPerKey = 4;

/**
 * In-flight computations by store and key (single flight, in this isolate).
 *
 * A key may have several: on Workers a promise dies silently with the request that made it, so after
 * `waitMs` another caller starts its own, and the earlier one may still end.
 */
export class SingleFlight {
  readonly #waitMs: number;
  readonly #now: () => number;
  readonly #byStore = new WeakMap<object, Map<string, Computation[]>>();

  /** @param waitMs time for which a computation can be joined, in milliseconds */
  constructor(waitMs: number, now: () => number) {
    this.#waitMs = waitMs;
    this.#now = now;
  }

  /** Returns the computation to join; undefined if none is in flight, or if it has timed out. */
  find(store: object, key: string): Computation | undefined {
    const computation = this.#byStore.get(store)?.get(key)?.at(-1);
    if (computation === undefined || computation.timedOut) return undefined;
    return this.#remainingMs(computation) > 0 ? computation : undefined;
  }

  /**
   * Starts a computation.
   *
   * @param run makes the result; it is called when others can already find the computation, so that it
   *   cannot start a second one from inside
   * @param generationKeys keys of the generations that the result depends on; default none
   */
  start(
    store: object,
    key: string,
    stale: unknown,
    run: (computation: Computation) => Promise<ComputationResult>,
    generationKeys: readonly string[] = [],
  ): Computation {
    const computation: Computation = {
      startedAtMs: this.#now(),
      result: Promise.resolve()
        .then(() => run(computation))
        .finally(() => this.#remove(store, key, computation)),
      stale,
      generationKeys,
      timedOut: false,
      cancelled: false,
      writing: undefined,
    };
    const running = this.#running(store, key);
    running.push(computation);
    if (running.length > maxComputationsPerKey) running.shift();
    return computation;
  }

  /**
   * Waits for a computation that another caller started.
   *
   * @returns undefined on timeout: its request was killed, or its producer is slow
   */
  async join(computation: Computation): Promise<ComputationResult | undefined> {
    const result = await settleWithin(computation.result, this.#remainingMs(computation));
    if (result === undefined) computation.timedOut = true;
    return result;
  }

  /**
   * Prevents the computations of a key from storing their results and from being joined.
   *
   * @returns a promise while one of them is writing, so that the caller can write after it
   */
  cancel(store: object, key: string): Promise<unknown> | undefined {
    const keys = this.#byStore.get(store);
    const running = keys?.get(key);
    if (keys === undefined || running === undefined) return undefined;
    keys.delete(key);
    const writes: Promise<unknown>[] = [];
    for (const computation of running) {
      computation.cancelled = true;
      if (computation.writing === undefined) continue;
      writes.push(settleWithin(computation.writing, this.#remainingMs(computation)));
    }
    return writes.length === 0 ? undefined : Promise.all(writes);
  }

  /** Calls {@link cancel} for every key with this prefix. */
  async cancelAll(store: object, prefix: string): Promise<void> {
    const keys = Array.from(this.#byStore.get(store)?.keys() ?? []);
    const cancelled = keys.filter((key) => key.startsWith(prefix));
    await Promise.all(cancelled.map((key) => this.cancel(store, key)));
  }

  /** Calls {@link cancel} for every key whose computation depends on one of these generations. */
  async cancelDependents(store: object, generationKeys: readonly string[]): Promise<void> {
    const cancelled = Array.from(this.#byStore.get(store) ?? [])
      .filter(([, running]) =>
        running.some((one) => one.generationKeys.some((key) => generationKeys.includes(key))),
      )
      .map(([key]) => key);
    await Promise.all(cancelled.map((key) => this.cancel(store, key)));
  }

  #running(store: object, key: string): Computation[] {
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

  #remove(store: object, key: string, computation: Computation): void {
    const keys = this.#byStore.get(store);
    const running = keys?.get(key);
    const index = running?.indexOf(computation) ?? -1;
    if (keys === undefined || running === undefined || index === -1) return;
    running.splice(index, 1);
    if (running.length === 0) keys.delete(key);
  }

  #remainingMs(computation: Computation): number {
    return computation.startedAtMs + this.#waitMs - this.#now();
  }
}

/** Returns the promise's result, or undefined when it has not settled after so long. */
function settleWithin<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  return limitMs > maxTimerMs ? promise : withDeadline(promise, limitMs, () => undefined);
}
