import { EspalierError } from "../errors.ts";
import type { CacheStore } from "./cache-store.ts";

/** How much a {@link MemoryCacheStore} holds. */
export interface MemoryCacheStoreOptions {
  /** How many entries are kept; 10,000 when not given. The least recently used goes first. */
  maxEntries?: number;
  /**
   * How many characters all values have together; 33,554,432 when not given, which is more than the
   * largest value of Workers KV and a quarter of a Worker's memory.
   */
  maxCharacters?: number;
  /** The clock, in milliseconds since the epoch; `Date.now` when not given. */
  now?: () => number;
}

interface StoredText {
  readonly text: string;
  readonly expiresAtMs: number;
}

/**
 * A bounded cache store in this isolate's memory.
 *
 * It starts no timers: an expired entry goes when it is asked for, or when room is needed.
 *
 * @example app.useCacheStore(new MemoryCacheStore({ maxEntries: 500 }));
 */
export class MemoryCacheStore implements CacheStore {
  /** Least recently used entries are dropped when it is full: not for what must be remembered. */
  readonly evicts = true;
  readonly #maxEntries: number;
  readonly #maxCharacters: number;
  readonly #now: () => number;
  /** From the least to the most recently used: a Map keeps the order in which keys were put in. */
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
   * @throws EspalierError `ERR_CACHE_VALUE_TOO_LARGE` for a text longer than all may be together
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
