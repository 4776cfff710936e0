/**
 * Where a {@link Cache} keeps its entries: the shape of Keyv, and of a `Map`.
 *
 * The cache does the rest, so a store stays short. It is given keys of 1 to 240 characters out of
 * `A-Z a-z 0-9 _ . : % ~ -`, never `.` or `..`, and values that are text. It gives back the text it
 * was given. It may forget an entry early; one that it keeps too long is never served.
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
  /** The text of an entry, or a promise of it; `undefined` or `null` when there is none. */
  get(key: string): unknown;
  /** Keeps an entry; without `ttlMs` until it is deleted. A failure throws or rejects. */
  set(key: string, value: string, ttlMs?: number): unknown;
  /** Forgets an entry. One that is not there is no failure. */
  delete(key: string): unknown;
  /** Whether there is an entry. The cache does not ask: only the entry tells its exact expiry. */
  has?(key: string): unknown;
  /** Forgets every entry of this store. */
  clear?(): unknown;
  /** Forgets every entry whose key begins with `prefix`; needed to clear a namespace. */
  clearPrefix?(prefix: string): unknown;
  /** True if entries may be dropped before they expire, for example by LRU eviction. */
  readonly evicts?: boolean;
  /** True if other instances may read the previous value for a while, as with Workers KV. */
  readonly isEventuallyConsistent?: boolean;
  /** The entries of many keys, in the order of the keys. Without it each key is asked for alone. */
  getMany?(keys: string[]): unknown;
}
