import type { CacheStore } from "../../../src/cache/cache-store.ts";
import { MemoryCacheStore } from "../../../src/cache/memory-store.ts";

/** A call of a store: the name of the method, and its arguments. */
type StoreCall = readonly [method: string, key: string, ...rest: unknown[]];

/** Options of {@link SharedStore}. */
export interface SharedStoreOptions {
  /** Has the method `compareAndSet`. */
  readonly comparesAndSets?: boolean;
  readonly isEventuallyConsistent?: boolean;
}

/** An asynchronous store that several caches share, as processes share a database. Records its calls. */
export class SharedStore implements CacheStore {
  readonly calls: StoreCall[] = [];
  /** What is stored, with the clock of `Date.now`. */
  readonly entries = new MemoryCacheStore();
  /** Awaited before each operation, which fails with what this throws. */
  before: (method: string, key: string) => unknown = () => {};
  readonly isEventuallyConsistent: boolean;
  readonly compareAndSet?: NonNullable<CacheStore["compareAndSet"]>;

  constructor(options: SharedStoreOptions = {}) {
    this.isEventuallyConsistent = options.isEventuallyConsistent === true;
    if (options.comparesAndSets === true) this.compareAndSet = this.#compareAndSet.bind(this);
  }

  /** The names of the called methods, in their order. */
  get methods(): readonly string[] {
    return this.calls.map(([method]) => method);
  }

  async get(key: string): Promise<unknown> {
    this.calls.push(["get", key]);
    await this.before("get", key);
    return this.entries.get(key);
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    this.calls.push(["set", key, text, ttlMs]);
    await this.before("set", key);
    this.entries.set(key, text, ttlMs);
  }

  async delete(key: string): Promise<void> {
    this.calls.push(["delete", key]);
    await this.before("delete", key);
    this.entries.delete(key);
  }

  async #compareAndSet(
    key: string,
    expected: string | undefined,
    text: string,
    ttlMs?: number,
  ): Promise<boolean> {
    this.calls.push(["compareAndSet", key, expected, text, ttlMs]);
    await this.before("compareAndSet", key);
    if (this.entries.get(key) !== expected) return false;
    this.entries.set(key, text, ttlMs);
    return true;
  }
}
