import { EspalierError } from "../errors.ts";
import { StoreCaller } from "../resilience/store-caller.ts";
import { createSystemClock } from "../util/clock.ts";
import { isThenable } from "../util/is-thenable.ts";
import type { FromJson } from "../util/json-types.ts";
import {
  badProducer,
  type CacheOptions,
  checkRememberOptions,
  checkTimeout,
  type RememberOptions,
} from "./cache-options.ts";
import { addGenerations, decodeEntry, type Entry, encodeEntry, isFresh } from "./entry.ts";
import { namespacePrefix } from "./escape-key.ts";
import { checkTags, namespaceGenerationKey, tagGenerationKeys } from "./generations.ts";
import { type RememberCall, RememberRunner } from "./remember.ts";
import { ResilientStore } from "./resilient-store.ts";
import { SingleFlight } from "./single-flight.ts";
import { toCacheStore } from "./store-from.ts";
import { toStoreKey } from "./store-key.ts";
import { parseTtl, toStoreTtl } from "./ttl.ts";

/**
 * A data cache over any {@link CacheStore}: exact expiry, any key, cache stampede protection.
 *
 * A miss is `undefined`; `null`, `0`, `""` and `false` are hits. A value is returned as parsed from
 * JSON, a new copy each time. Every call of the store has a deadline and a circuit breaker: a store
 * that fails or times out makes `get`, `getMany`, `has`, `set`, `delete` and `clear` reject with a
 * StoreError, and `remember` work without the store.
 *
 * ```ts
 * const cache = new Cache({ store: new MemoryCacheStore() });
 * const user = await cache.remember(`user:${id}`, () => loadUser(id), 60_000);
 * ```
 */
export class Cache {
  readonly #options: CacheOptions;
  readonly #now: () => number;
  #singleFlight: SingleFlight;
  #runner: RememberRunner;
  #stores = new WeakMap<object, ResilientStore>();
  #prefix = "";
  /** Prefixes of the namespaces, outermost first. */
  #prefixes: readonly string[] = [];
  #namespace: readonly string[] = [];

  /** @throws EspalierError `ERR_CACHE_BAD_OPTION` for a `timeoutMs` that is not a number above 0 */
  constructor(options: CacheOptions) {
    checkTimeout(options.timeoutMs);
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    const { background, logger, producerWaitMs = 30_000 } = options;
    this.#singleFlight = new SingleFlight(producerWaitMs, this.#now);
    this.#runner = new RememberRunner({
      singleFlight: this.#singleFlight,
      producerWaitMs,
      now: this.#now,
      background,
      logger,
    });
  }

  /** True if the store in use may drop entries before they expire. */
  get evicts(): boolean {
    return this.#store().evicts;
  }

  /** True if other instances may read the previous value for a while, as with Workers KV. */
  get isEventuallyConsistent(): boolean {
    return this.#store().isEventuallyConsistent;
  }

  /** Returns the value of a key, or `undefined` if it is absent or expired. */
  async get<T = unknown>(key: string): Promise<T | undefined> {
    return this.#record<T>(key, await this.#read(key));
  }

  /** Returns the values of many keys, in the order of the keys; `undefined` for each that has none. */
  async getMany<T = unknown>(keys: readonly string[]): Promise<(T | undefined)[]> {
    const store = this.#store();
    const storeKeys = await Promise.all(keys.map((key) => toStoreKey(this.#prefix, key)));
    const stored = await store.getMany(storeKeys);
    return keys.map((key, index) => this.#record<T>(key, decodeEntry(stored[index])));
  }

  /** Returns true if a key has a value now. */
  async has(key: string): Promise<boolean> {
    return isFresh(await this.#read(key), this.#now());
  }

  /**
   * Stores a value for `ttlMs` milliseconds; without `ttlMs`, or with `Infinity`, until it is
   * deleted. A `ttlMs` of zero or less, and the value `undefined`, delete the key.
   *
   * @throws TypeError for a TTL that is not a number (`ERR_CACHE_BAD_TTL`), and for a value that
   *   JSON cannot hold (`ERR_CACHE_NOT_JSON`): a Map, a Promise, a BigInt, a cycle
   */
  async set(key: string, value: unknown, ttlMs?: number): Promise<void> {
    const parsedTtlMs = parseTtl(ttlMs);
    if (value === undefined || parsedTtlMs <= 0) return await this.delete(key);
    // Encoded before the first wait: the caller may change the value meanwhile.
    const expiresAtMs = this.#now() + parsedTtlMs;
    const text = encodeEntry(key, value, expiresAtMs);
    await this.#mutate(key, async (store, storeKey) => {
      const keys = this.#namespaceGenerationKeys(store);
      const generations = keys.length > 0 ? await store.currentGenerations(keys) : undefined;
      const entry = generations === undefined ? text : addGenerations(text, generations);
      await store.set(storeKey, entry, toStoreTtl(parsedTtlMs));
    });
  }

  /** Removes a key. The result of a producer that runs for it meanwhile is not stored. */
  async delete(key: string): Promise<void> {
    await this.#mutate(key, (store, storeKey) => store.delete(storeKey));
  }

  /**
   * Removes every key of this cache, or of this namespace.
   *
   * A namespace can be cleared on every store: where the store has no `clearPrefix`, its entries become
   * misses, and stay in the store until they expire.
   *
   * @throws EspalierError `ERR_CACHE_CLEAR_UNSUPPORTED` when the whole cache is to be cleared, and the store
   *   cannot
   */
  async clear(): Promise<void> {
    const store = this.#store();
    await this.#singleFlight.cancelAll(store, this.#prefix);
    if (this.#prefix === "" && store.clear !== undefined) await store.clear();
    else if (store.clearPrefix !== undefined) await store.clearPrefix(this.#prefix);
    else if (this.#prefix !== "") {
      await store.renewGenerations([namespaceGenerationKey(this.#prefix)]);
    } else {
      throw new EspalierError(
        "ERR_CACHE_CLEAR_UNSUPPORTED",
        'The cache store cannot clear all keys: it has no method "clear". ' +
          "Add it, or clear namespaces, which works on every store.",
      );
    }
    await this.#singleFlight.cancelAll(store, this.#prefix);
  }

  /**
   * Makes every entry that `remember` stored with one of these tags a miss, on every store. Tags belong to
   * this cache, or to this namespace.
   *
   * @throws TypeError `ERR_CACHE_BAD_OPTION` unless `tags` is an array of non-empty strings
   * @example await cache.invalidateTags(["books", `author:${id}`]);
   */
  async invalidateTags(tags: readonly string[]): Promise<void> {
    checkTags(tags);
    const store = this.#store();
    const keys = await tagGenerationKeys(this.#prefix, tags);
    await this.#singleFlight.cancelDependents(store, keys);
    await store.renewGenerations([...new Set(keys)]);
    await this.#singleFlight.cancelDependents(store, keys);
  }

  /**
   * Returns the value of a key; when it has none, runs `producer` and stores its result for `ttlMs`
   * milliseconds. The value is a copy that has been through JSON, also for the caller that runs the producer.
   *
   * One producer runs per key and isolate, however many callers wait; with `across`, one among all
   * processes. When it fails, each caller in its process gets its error and nothing is stored; when it
   * returns `undefined`, each gets that and nothing is stored. When the key is set or deleted meanwhile, the
   * producer's result is not stored; for another process to do so, the store needs `compareAndSet`. A
   * producer must not call `remember` for its own key.
   *
   * A store that fails or times out is logged and bypassed. A caller waits at most
   * `producerWaitMs` for another caller's producer, then runs its own.
   *
   * @throws TypeError when the producer is not a function (`ERR_CACHE_BAD_PRODUCER`), a TTL is not a
   *   number (`ERR_CACHE_BAD_TTL`), or an option is unknown (`ERR_CACHE_BAD_OPTION`)
   */
  async remember<T>(
    key: string,
    producer: () => T | PromiseLike<T>,
    ttlMs?: number,
    options: RememberOptions = {},
  ): Promise<FromJson<T>> {
    if (typeof producer !== "function") throw badProducer(key, producer, ttlMs);
    checkRememberOptions(options, this.#options.lock !== undefined);
    const store = this.#store();
    const name = toStoreKey(this.#prefix, key);
    const generationKeys = this.#generationKeys(store, options.tags);
    const call: RememberCall = {
      store,
      // A hit in memory then awaits nothing at all.
      storeKey: typeof name === "string" ? name : await name,
      generationKeys: isThenable(generationKeys) ? await generationKeys : generationKeys,
      key,
      producer,
      ttlMs: parseTtl(ttlMs),
      staleMs: Math.max(0, parseTtl(options.staleMs ?? 0, "staleMs")),
      takeLock: options.across === true ? this.#options.lock : undefined,
    };
    let result = this.#runner.find(call);
    while (result instanceof Promise) result = (await result) ?? this.#runner.find(call);
    this.#notify(result.produced ? "cache.miss" : "cache.hit", key);
    // Unchecked cast: the type of what is stored under a key is the caller's responsibility.
    return result.value as FromJson<T>;
  }

  /**
   * Returns a part of this cache with separate keys: `namespace("a")` and `namespace("b")` share no
   * key with each other, nor with this cache. It can be cleared alone.
   *
   * @throws EspalierError `ERR_CACHE_BAD_NAMESPACE` when the name is too long
   */
  namespace(name: string): Cache {
    const prefix = namespacePrefix(this.#prefix, name);
    if (prefix === undefined) {
      throw new EspalierError(
        "ERR_CACHE_BAD_NAMESPACE",
        `The cache namespace "${name.slice(0, 80)}" is too long. ` +
          "Use a short name, and put ids into keys.",
      );
    }
    const cache = new Cache(this.#options);
    cache.#singleFlight = this.#singleFlight;
    cache.#runner = this.#runner;
    cache.#stores = this.#stores;
    cache.#prefix = prefix;
    cache.#prefixes = [...this.#prefixes, prefix];
    cache.#namespace = [...this.#namespace, name];
    return cache;
  }

  #store(): ResilientStore {
    const given = this.#options.store;
    const source = typeof given === "function" ? given() : given;
    let store = this.#stores.get(source);
    if (store === undefined) {
      store = new ResilientStore(toCacheStore(source), this.#createCaller());
      this.#stores.set(source, store);
    }
    return store;
  }

  /** Keys of the generations of the namespaces; none where the store removes their entries. */
  #namespaceGenerationKeys(store: ResilientStore): readonly string[] {
    const hasOwn = this.#prefixes.length > 0 && store.clearPrefix === undefined;
    return hasOwn ? this.#prefixes.map(namespaceGenerationKey) : [];
  }

  #generationKeys(
    store: ResilientStore,
    tags: readonly string[] = [],
  ): readonly string[] | Promise<readonly string[]> {
    const ofNamespaces = this.#namespaceGenerationKeys(store);
    if (tags.length === 0) return ofNamespaces;
    const ofTags = tagGenerationKeys(this.#prefix, tags);
    return isThenable(ofTags)
      ? ofTags.then((keys) => [...ofNamespaces, ...keys])
      : [...ofNamespaces, ...ofTags];
  }

  #createCaller(): StoreCaller {
    const { logger, timeoutMs } = this.#options;
    const clock = { ...createSystemClock(), now: this.#now };
    return new StoreCaller({ name: "cache store", timeoutMs, logger, clock });
  }

  async #read(key: string): Promise<Entry | undefined> {
    const name = toStoreKey(this.#prefix, key);
    const stored = this.#store().get(typeof name === "string" ? name : await name);
    return decodeEntry(isThenable(stored) ? await stored : stored);
  }

  /** Writes or deletes a key and cancels the pending writes of its producers. */
  async #mutate(
    key: string,
    act: (store: ResilientStore, storeKey: string) => unknown,
  ): Promise<void> {
    const store = this.#store();
    const name = toStoreKey(this.#prefix, key);
    const storeKey = typeof name === "string" ? name : await name;
    const writing = this.#singleFlight.cancel(store, storeKey);
    if (writing !== undefined) await writing;
    await act(store, storeKey);
    // One that started meanwhile may have seen the store as it was before.
    this.#singleFlight.cancel(store, storeKey);
  }

  /** Returns the value of an entry and reports the hit or miss. */
  #record<T>(key: string, entry: Entry | undefined): T | undefined {
    const hit = isFresh(entry, this.#now());
    this.#notify(hit ? "cache.hit" : "cache.miss", key);
    // Unchecked cast, as in `remember`.
    return hit ? (entry.value as T) : undefined;
  }

  #notify(name: "cache.hit" | "cache.miss", key: string): void {
    this.#options.notify?.(name, { key, namespace: this.#namespace });
  }
}
