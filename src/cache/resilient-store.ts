import type { StoreCaller } from "../resilience/store-caller.ts";
import { isThenable } from "../util/is-thenable.ts";
import type { CacheStore } from "./cache-store.ts";
import { generationsOf, toText } from "./entry.ts";
import { type Generations, generationTtlMs } from "./generations.ts";

/** Clearing may delete key by key, so it has this many times as long as another call. */
const clearTimeoutFactor = 30;

/**
 * A cache store whose every call has a deadline and a circuit breaker; each method throws StoreError. Entries
 * of an older generation are absent.
 */
export class ResilientStore {
  readonly #store: CacheStore;
  readonly #caller: StoreCaller;

  constructor(store: CacheStore, caller: StoreCaller) {
    this.#store = store;
    this.#caller = caller;
  }

  get evicts(): boolean {
    return this.#store.evicts === true;
  }

  get isEventuallyConsistent(): boolean {
    return this.#store.isEventuallyConsistent === true;
  }

  /** Returns an entry; `undefined` or `null` if it is absent. What a store returns at once is returned at once. */
  get(key: string): unknown {
    const stored = this.#read(key);
    return isThenable(stored)
      ? Promise.resolve(stored).then((entry) => this.#unlessOutdated(entry))
      : this.#unlessOutdated(stored);
  }

  /** Returns the entries of many keys, in the order of the keys. */
  async getMany(keys: string[]): Promise<unknown[]> {
    if (keys.length === 0) return [];
    const stored = await this.#caller.call(() => this.#readMany(keys));
    return await Promise.all(stored.map((entry) => this.#unlessOutdated(entry)));
  }

  /**
   * Returns the current generation of each key, and creates those that are absent: an entry depends on a
   * generation that was written, so that one that is lost makes it a miss.
   */
  async currentGenerations(keys: readonly string[]): Promise<Generations> {
    const current = await Promise.all(keys.map((key) => this.#read(key)));
    const created = keys.filter((_, index) => !isGeneration(current[index]));
    const renewed = await this.renewGenerations(created);
    const found = keys.map((key, index) => [key, renewed[key] ?? String(current[index])] as const);
    return Object.fromEntries(found);
  }

  /** Starts a new generation of each key: the entries that depend on the former one are absent from now on. */
  async renewGenerations(keys: readonly string[]): Promise<Generations> {
    const renew = async (key: string): Promise<[string, string]> => {
      const generation = crypto.randomUUID();
      await this.set(key, generation, generationTtlMs);
      return [key, generation];
    };
    return Object.fromEntries(await Promise.all(keys.map(renew)));
  }

  set(key: string, value: string, ttlMs?: number): unknown {
    return this.#caller.call(() => this.#store.set(key, value, ttlMs));
  }

  /** True if the store can replace an entry only if it has not changed, in one atomic step. */
  get comparesAndSets(): boolean {
    return this.#store.compareAndSet !== undefined;
  }

  /** Returns an entry, even if it is of an older generation. */
  async getUnchecked(key: string): Promise<unknown> {
    return await this.#read(key);
  }

  /**
   * Stores an entry if the key still holds `expected`; undefined: if it is absent. Returns true if it did. A
   * store without such a method can be changed between the comparison and the write.
   */
  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlMs?: number,
  ): Promise<boolean> {
    if (this.comparesAndSets) {
      const compare = (): unknown => this.#store.compareAndSet?.(key, expected, value, ttlMs);
      return (await this.#caller.call(compare)) === true;
    }
    if (toText(await this.#read(key)) !== expected) return false;
    await this.set(key, value, ttlMs);
    return true;
  }

  delete(key: string): unknown {
    return this.#caller.call(() => this.#store.delete(key));
  }

  /** Removes every entry, with 30 times `timeoutMs`. Undefined when the store has no such method. */
  get clear(): (() => unknown) | undefined {
    if (this.#store.clear === undefined) return undefined;
    return () => this.#callLong(() => this.#store.clear?.());
  }

  /** Removes every entry of a namespace, as {@link clear} does. */
  get clearPrefix(): ((prefix: string) => unknown) | undefined {
    if (this.#store.clearPrefix === undefined) return undefined;
    return (prefix) => this.#callLong(() => this.#store.clearPrefix?.(prefix));
  }

  #read(key: string): unknown {
    return this.#caller.call(() => this.#store.get(key));
  }

  /** Returns the entry, or undefined if a generation that it depends on has been renewed. */
  #unlessOutdated(stored: unknown): unknown {
    const generations = generationsOf(stored);
    if (generations === undefined) return stored;
    const keys = Object.keys(generations);
    const current = keys.map((key) => this.#read(key));
    const check = (found: readonly unknown[]): unknown =>
      keys.every((key, index) => generations[key] === found[index]) ? stored : undefined;
    return current.some(isThenable) ? Promise.all(current).then(check) : check(current);
  }

  #callLong(operation: () => unknown): unknown {
    return this.#caller.call(operation, undefined, this.#caller.timeoutMs * clearTimeoutFactor);
  }

  async #readMany(keys: string[]): Promise<unknown[]> {
    const stored: unknown = await this.#store.getMany?.(keys);
    // The getMany of another library may return something else than a list in this order.
    if (Array.isArray(stored) && stored.length === keys.length) return stored;
    return await Promise.all(keys.map((key) => this.#store.get(key)));
  }
}

/** A damaged value is replaced: it would make unreadable what depends on it. */
function isGeneration(stored: unknown): boolean {
  return typeof stored === "string" && /^[\w-]+$/.test(stored);
}
