import { EspalierError } from "../errors.ts";
import type { CacheStore } from "./cache-store.ts";

/** Options of {@link MemoryCacheStore}. */
export interface MemoryCacheStoreOptions {
  /** Maximum number of entries; default 10,000. The least recently used is evicted first. */
  maxEntries?: number;
  /**
   * Maximum total length of all values, in characters; default 33,554,432, which is more than the largest
   * value of Workers KV and a quarter of a Worker's memory.
   */
  maxCharacters?: number;
  /** Returns milliseconds since the epoch; default `Date.now`. */
  now?: () => number;
}

interface StoredText {
  readonly text: string;
  readonly expiresAtMs: number;
}

/**
 * A bounded cache store in this isolate's memory.
 *
 * Starts no timers: expired entries are removed when they are read, or when space is needed.
 *
 * @example app.useCacheStore(new MemoryCacheStore({ maxEntries: 500 }));
 */
export class MemoryCacheStore implements CacheStore {
  /** Evicts the least recently used entries when it is full: unsuitable for data that must persist. */
  readonly evicts = true;
  readonly #maxEntries: number;
  readonly #maxCharacters: number;
  readonly #now: () => number;
  /** Ordered from the least to the most recently used: a Map keeps insertion order. */
  readonly #entries = new Map<string, StoredText>();
  #characters = 0;
  #newest: string | undefined;

  constructor(options: MemoryCacheStoreOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 10_000;
    this.#maxCharacters = options.maxCharacters ?? 32 * 1024 * 1024;
    this.#now = options.now ?? (() => Date.now());
  }

  /** Number of entries held, including expired ones that have not been read since. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs <= this.#now()) {
      this.delete(key);
      return undefined;
    }
    if (key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#newest = key;
    }
    return entry.text;
  }

  /**
   * @throws EspalierError `ERR_CACHE_VALUE_TOO_LARGE` for a string longer than the maximum total length
   */
  set(key: string, text: string, ttlMs: number = Number.POSITIVE_INFINITY): void {
    if (text.length > this.#maxCharacters) {
      throw new EspalierError(
        "ERR_CACHE_VALUE_TOO_LARGE",
        `The value of cache key "${key}" has ${text.length} characters; the memory store holds ` +
          `${this.#maxCharacters} in all. Raise maxCharacters, or cache less.`,
      );
    }
    this.delete(key);
    this.#entries.set(key, { text, expiresAtMs: this.#now() + ttlMs });
    this.#characters += text.length;
    this.#newest = key;
    this.#evict();
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#characters -= entry.text.length;
  }

  clear(): void {
    this.#entries.clear();
    this.#characters = 0;
  }

  clearPrefix(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.delete(key);
  }

  #evict(): void {
    for (const key of this.#entries.keys()) {
      const fits =
        this.#entries.size <= this.#maxEntries && this.#characters <= this.#maxCharacters;
      if (fits) return;
      this.delete(key);
    }
  }
}
