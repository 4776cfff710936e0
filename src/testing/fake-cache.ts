import { Cache } from "../cache/cache.ts";
import { MemoryCacheStore, type MemoryCacheStoreOptions } from "../cache/memory-store.ts";
import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** An in-memory cache store with assertions on its content, by application keys. */
export class FakeCache extends MemoryCacheStore {
  readonly #cache: Cache;

  /** @internal */
  constructor(options: MemoryCacheStoreOptions) {
    super(options);
    const { now } = options;
    this.#cache = new Cache({ store: this, ...(now === undefined ? {} : { now }) });
  }

  /** Throws unless a value is cached under this key, optionally with these members. */
  async assertCached(key: string, expected?: unknown): Promise<void> {
    const actual = await this.#cache.get(key);
    if (actual === undefined) throw new AssertionError(`Nothing is cached under ${show(key)}.`);
    const difference = expected === undefined ? undefined : findDifference(actual, expected);
    if (difference === undefined) return;
    throw new AssertionError(`Of what is cached under ${show(key)}, ${difference}.`);
  }

  /** Throws if an unexpired value is cached under this key. */
  async assertNotCached(key: string): Promise<void> {
    const actual = await this.#cache.get(key);
    if (actual === undefined) return;
    throw new AssertionError(`There is something cached under ${show(key)}: ${show(actual)}.`);
  }
}

/**
 * Creates a cache store for tests: `app.useCacheStore(cache)`.
 *
 * ```ts
 * const cache = createFakeCache();
 * app.useCacheStore(cache);
 * await cache.assertCached("books", [{ title: "Emma" }]);
 * ```
 */
export function createFakeCache(options: MemoryCacheStoreOptions = {}): FakeCache {
  return new FakeCache(options);
}
