import { StoreError } from "../resilience/store-error.ts";
import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { TokenStore } from "./token-store.ts";

/** Options of {@link MemoryTokenStore}. */
export interface MemoryTokenStoreOptions {
  /** Maximum number of entries; default 100,000. */
  readonly maxEntries?: number;
  /** Returns the time in milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

interface Entry {
  readonly value: string;
  readonly expiresAtMs: number;
}

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "MemoryTokenStore" } as const;
const optionNames: OptionNames<MemoryTokenStoreOptions> = { maxEntries: true, now: true };

/**
 * Stores the state of tokens in this process: for tests and for applications of one process.
 *
 * Entries expire by time alone. When the store is full, `set` of a new key throws, since dropping
 * another entry would make a revoked token valid again. All entries are lost when the process ends.
 *
 * @example const auth = new Auth({ secret, revocations: new MemoryTokenStore() });
 */
export class MemoryTokenStore implements TokenStore {
  readonly #maxEntries: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** No entry expires before this time, so a full store is searched only after it. */
  #nextExpiryMs = Number.POSITIVE_INFINITY;

  /** @throws EspalierError `ERR_AUTH_BAD_OPTION` unless `maxEntries` is a positive integer */
  constructor(options: MemoryTokenStoreOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#maxEntries = checkInteger(owner, "maxEntries", options.maxEntries ?? 100_000, 1);
    this.#now = options.now ?? (() => Date.now());
  }

  /** Number of entries, including expired ones that are not removed yet. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @throws StoreError `ERR_STORE_FULL` for a new key in a full store */
  set(key: string, value: string, ttlMs: number = Number.POSITIVE_INFINITY): void {
    if (!this.#entries.has(key)) this.#makeRoom();
    const expiresAtMs = this.#now() + ttlMs;
    this.#entries.set(key, { value, expiresAtMs });
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expiresAtMs);
  }

  compareAndSet(key: string, expected: string, value: string, ttlMs: number): boolean {
    if (this.get(key) !== expected) return false;
    this.set(key, value, ttlMs);
    return true;
  }

  #makeRoom(): void {
    if (this.#entries.size < this.#maxEntries) return;
    if (this.#nextExpiryMs <= this.#now()) this.#removeExpired();
    if (this.#entries.size < this.#maxEntries) return;
    throw new StoreError(
      "ERR_STORE_FULL",
      `The MemoryTokenStore is full: none of its ${this.#maxEntries} entries has expired. ` +
        "Raise maxEntries, shorten expiresIn, or use a store outside of the process.",
      { retryAfterMs: Math.min(60_000, this.#nextExpiryMs - this.#now()) },
    );
  }

  #removeExpired(): void {
    const nowMs = this.#now();
    this.#nextExpiryMs = Number.POSITIVE_INFINITY;
    for (const [key, { expiresAtMs }] of this.#entries) {
      if (expiresAtMs <= nowMs) this.#entries.delete(key);
      else this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expiresAtMs);
    }
  }
}
