import type { Cache } from "../../cache/cache.ts";
import type { RememberOptions } from "../../cache/cache-options.ts";
import {
  type CacheSource,
  checkCacheSource,
  mayEvict,
  mayReadStale,
} from "../../cache/cache-source.ts";
import { namespacePrefix } from "../../cache/escape-key.ts";
import { findKvBinding } from "../../platform/cloudflare/find-kv-binding.ts";
import type { FromJson } from "../../util/json-types.ts";
import { snapshot } from "../../util/snapshot.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import type { ServiceOptions } from "../service-options.ts";
import type { LockCapability } from "./locks.ts";

/** Guarantees of a store; see {@link CacheStore}. */
interface StoreGuarantees {
  readonly evicts: boolean;
  readonly isEventuallyConsistent: boolean;
}

/**
 * The cache of an application. The first call loads its implementation.
 *
 * ```ts
 * const books = app.cache.namespace("books");
 * const book = await books.remember(id, () => repository.find(id), 60_000);
 * ```
 */
export class ApplicationCache {
  readonly #load: () => Promise<Cache>;
  readonly #loaded: () => Cache | undefined;
  readonly #guarantees: () => StoreGuarantees;
  readonly #prefix: string;

  /** @internal */
  constructor(
    load: () => Promise<Cache>,
    loaded: () => Cache | undefined,
    guarantees: () => StoreGuarantees,
    prefix: string = "",
  ) {
    this.#load = load;
    this.#loaded = loaded;
    this.#guarantees = guarantees;
    this.#prefix = prefix;
  }

  /** True if the store may drop entries before they expire, as the in-memory store does. */
  get evicts(): boolean {
    return this.#guarantees().evicts;
  }

  /** True if other instances may read the previous value for a while, as with Workers KV. */
  get isEventuallyConsistent(): boolean {
    return this.#guarantees().isEventuallyConsistent;
  }

  /** Returns the value of a key, or `undefined` if it does not exist. */
  async get<T = unknown>(key: string): Promise<T | undefined> {
    return (this.#loaded() ?? (await this.#load())).get<T>(key);
  }

  /** Returns the values of several keys in order, `undefined` for each key without a value. */
  async getMany<T = unknown>(keys: readonly string[]): Promise<(T | undefined)[]> {
    return (this.#loaded() ?? (await this.#load())).getMany<T>(keys);
  }

  /** Returns whether a key currently has a value. */
  async has(key: string): Promise<boolean> {
    return (this.#loaded() ?? (await this.#load())).has(key);
  }

  /**
   * Stores a value for `ttlMs` milliseconds; without `ttlMs`, or with `Infinity`, until it is deleted.
   * With zero or less, and for `undefined`, the key has no value afterwards.
   *
   * @throws TypeError for a TTL that is not a number (`ERR_CACHE_BAD_TTL`), and for a value that JSON
   *   cannot represent (`ERR_CACHE_NOT_JSON`): a Map, a Promise, a BigInt, a cycle
   */
  async set(key: string, value: unknown, ttlMs?: number): Promise<void> {
    const cache = this.#loaded();
    if (cache !== undefined) return cache.set(key, value, ttlMs);
    // Copied before the await: the caller may change the value meanwhile.
    const text = snapshot(value);
    const { toLosslessJson } = await import("../../cache/json-text.ts");
    // Throws for a value that JSON cannot represent or of which it would lose a part.
    if (value !== undefined) toLosslessJson(value, key);
    const copy: unknown = text === undefined ? value : JSON.parse(text);
    return (await this.#load()).set(key, copy, ttlMs);
  }

  /** Removes a key. A producer that is running for it does not restore it. */
  async delete(key: string): Promise<void> {
    return (this.#loaded() ?? (await this.#load())).delete(key);
  }

  /** Removes every key of this cache, or of this namespace, which can be cleared on every store. */
  async clear(): Promise<void> {
    return (this.#loaded() ?? (await this.#load())).clear();
  }

  /**
   * Makes every entry that {@link remember} stored with one of these tags a miss, on every store. Tags belong
   * to this cache, or to this namespace.
   *
   * @example await app.cache.invalidateTags(["books", `author:${id}`]);
   */
  async invalidateTags(tags: readonly string[]): Promise<void> {
    return (this.#loaded() ?? (await this.#load())).invalidateTags(tags);
  }

  /** See `app.cacheRemember`. */
  async remember<T>(
    key: string,
    producer: () => T | PromiseLike<T>,
    ttlMs?: number,
    options?: RememberOptions,
  ): Promise<FromJson<T>> {
    return (this.#loaded() ?? (await this.#load())).remember(key, producer, ttlMs, options);
  }

  /**
   * Returns a view of this cache with separate keys: `namespace("a")` and `namespace("b")` share no key with
   * each other or with this cache. It can be cleared independently.
   *
   * @throws EspalierError `ERR_CACHE_BAD_NAMESPACE` for a name that is too long
   */
  namespace(name: string): ApplicationCache {
    const prefix = namespacePrefix(this.#prefix, name);
    let inner: Cache | undefined;
    const loaded = (): Cache | undefined => {
      inner ??= this.#loaded()?.namespace(name);
      return inner;
    };
    const load = async (): Promise<Cache> => {
      inner ??= (await this.#load()).namespace(name);
      return inner;
    };
    return new ApplicationCache(load, loaded, this.#guarantees, prefix);
  }
}

/** The cache and the selection of its store: the configured one, else the platform's KV, else memory. */
export class CacheCapability {
  readonly cache: ApplicationCache;
  readonly #runtime: ApplicationRuntime;
  readonly #options: ServiceOptions;
  readonly #locks: LockCapability;
  #chosen: CacheSource | undefined;
  #cache: Cache | undefined;

  constructor(runtime: ApplicationRuntime, options: ServiceOptions, locks: LockCapability) {
    this.#runtime = runtime;
    this.#options = options;
    this.#locks = locks;
    this.cache = new ApplicationCache(
      () => this.#load(),
      () => this.#cache,
      () => this.#guarantees(),
    );
  }

  /**
   * Sets the store of the cache.
   *
   * @throws EspalierError `ERR_CACHE_BAD_STORE` for anything that is not a store
   */
  use(source: CacheSource): void {
    this.#chosen = checkCacheSource(source);
  }

  /** True if `useCacheStore` has set a store. */
  get isChosen(): boolean {
    return this.#chosen !== undefined;
  }

  /** Returns the store's guarantees without loading the cache. */
  #guarantees(): StoreGuarantees {
    const source = this.#chosen ?? findKvBinding(this.#runtime.environment(), this.#options.kv);
    if (source === undefined) return { evicts: true, isEventuallyConsistent: false };
    return { evicts: mayEvict(source), isEventuallyConsistent: mayReadStale(source) };
  }

  async #load(): Promise<Cache> {
    // Each caller awaits a separate import: on Workers a request must not await another request's promise.
    const { createCache } = await import("./cache-engine.ts");
    this.#cache ??= createCache(this.#runtime, this.#options, this.#locks, () => this.#chosen);
    return this.#cache;
  }
}
