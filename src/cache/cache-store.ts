/**
 * Storage of a {@link Cache}; compatible with Keyv and `Map`.
 *
 * Keys have 1 to 240 characters out of `A-Z a-z 0-9 _ . : % ~ -`, and are never `.` or `..`. Values are
 * strings, which the store must return unchanged. It may evict an entry early; an expired entry that it
 * still holds is never served.
 *
 * ```ts
 * const store: CacheStore = {
 *   get: (key) => redis.get(key),
 *   set: (key, value, ttlMs) => redis.set(key, value, ttlMs === undefined ? {} : { PX: ttlMs }),
 *   delete: (key) => redis.del(key),
 * };
 * ```
 */
export interface CacheStore {
  /** Returns the string of an entry, or a promise of it; `undefined` or `null` if the key is absent. */
  get(key: string): unknown;
  /** Stores an entry; without `ttlMs`, until it is deleted. Throws or rejects on failure. */
  set(key: string, value: string, ttlMs?: number): unknown;
  /** Deletes an entry. An absent key is not an error. */
  delete(key: string): unknown;
  /** Returns true if the key exists. Not called by the cache: the exact expiry is in the entry itself. */
  has?(key: string): unknown;
  /**
   * Stores an entry if the key still holds `expected`, or is absent if `expected` is undefined, in one atomic
   * step. Returns true if it did, or a promise of it. The entry has the new `ttlMs`, not the rest of the former one.
   *
   * With this method, a key that one process sets or deletes does not get the result of a producer that runs
   * in another process meanwhile.
   */
  compareAndSet?(key: string, expected: string | undefined, value: string, ttlMs?: number): unknown;
  /** Deletes all entries of this store. */
  clear?(): unknown;
  /** Deletes all entries whose key starts with `prefix`; required to clear a namespace. */
  clearPrefix?(prefix: string): unknown;
  /** True if entries may be dropped before they expire, for example by LRU eviction. */
  readonly evicts?: boolean;
  /** True if other instances may read the previous value for a while, as with Workers KV. */
  readonly isEventuallyConsistent?: boolean;
  /** Returns the entries of many keys, in the order of the keys. Without it, `get` is called for each key. */
  getMany?(keys: string[]): unknown;
}
