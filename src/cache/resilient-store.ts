import type { StoreCaller } from "../resilience/store-caller.ts";
import type { CacheStore } from "./cache-store.ts";

/** Clearing may delete key by key, so it has this many times as long as another call. */
const clearTimeoutFactor = 30;

/** A cache store whose every call has a deadline and a circuit breaker; each method throws StoreError. */
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

  get(key: string): unknown {
    return this.#caller.call(() => this.#store.get(key));
  }

  /** Returns the entries of many keys, in the order of the keys. */
  async getMany(keys: string[]): Promise<unknown[]> {
    if (keys.length === 0) return [];
    return await this.#caller.call(() => this.#readMany(keys));
  }

  set(key: string, value: string, ttlMs?: number): unknown {
    return this.#caller.call(() => this.#store.set(key, value, ttlMs));
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
