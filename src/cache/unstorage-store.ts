import type { CacheStore } from "./cache-store.ts";

/** The part of an unstorage `Storage` that the cache uses. */
export interface UnstorageLike {
  getItem(key: string): unknown;
  setItem(key: string, value: string, options?: { ttl?: number }): unknown;
  removeItem(key: string): unknown;
  getKeys(base?: string): unknown;
}

/**
 * Prefix of each value: unstorage would parse values that look like JSON, and drop keys such as
 * `__proto__`.
 */
const mark = "=";

/**
 * Cache store on an unstorage storage.
 *
 * Passes the TTL, in seconds, to drivers that support it; with others, expired entries are never served
 * but remain stored until they are overwritten or cleared.
 */
export class UnstorageCacheStore implements CacheStore {
  readonly #storage: UnstorageLike;

  constructor(storage: UnstorageLike) {
    this.#storage = storage;
  }

  async get(key: string): Promise<unknown> {
    const item = await this.#storage.getItem(toItemKey(key));
    return typeof item === "string" && item.startsWith(mark) ? item.slice(mark.length) : item;
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    const options = ttlMs === undefined ? {} : { ttl: Math.ceil(ttlMs / 1000) };
    await this.#storage.setItem(toItemKey(key), mark + text, options);
  }

  async delete(key: string): Promise<void> {
    await this.#storage.removeItem(toItemKey(key));
  }

  async clear(): Promise<void> {
    await this.clearPrefix("");
  }

  async clearPrefix(prefix: string): Promise<void> {
    const keys: unknown = await this.#storage.getKeys();
    if (!Array.isArray(keys)) return;
    const start = toItemKey(prefix);
    const matching = keys.filter((key) => typeof key === "string" && key.startsWith(start));
    await Promise.all(matching.map((key) => this.#storage.removeItem(key)));
  }
}

/**
 * unstorage trims colons at both ends and collapses repeated ones; keys of the cache never contain
 * `=`.
 */
function toItemKey(key: string): string {
  return key.replaceAll(":", "=");
}
