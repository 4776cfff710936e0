import { EspalierError } from "../errors.ts";
import type { Logger } from "../observability/logger.ts";
import { kindOf } from "../util/describe.ts";
import { isThenable } from "../util/is-thenable.ts";
import { findOptionProblem, type OptionNames } from "../util/options.ts";
import type { CacheStore } from "./cache-store.ts";
import { decodeEntry, type Entry, encodeEntry, isFresh } from "./entry.ts";
import { type RememberCall, RememberRunner } from "./remember.ts";
import { SingleFlight } from "./single-flight.ts";
import { type CacheSource, toCacheStore } from "./store-from.ts";
import { namespacePrefix, toStoreKey } from "./store-key.ts";
import { parseTtl, toStoreTtl } from "./ttl.ts";
import { createTypeError } from "./type-error.ts";

/** What `cache.hit` and `cache.miss` carry. */
export interface CacheEvent {
  /** The key as the caller wrote it. */
  readonly key: string;
  /** The names of the namespaces, outermost first; empty outside any. */
  readonly namespace: readonly string[];
}

/** What a cache is made of. */
export interface CacheOptions {
  /**
   * The store, or a function that gives the one to use now: on Workers the binding comes with the
   * request. The same binding is adapted once, however often it is given.
   */
  store: CacheSource | (() => CacheSource);
  /** The clock, in milliseconds since the epoch; `Date.now` when not given. */
  now?: () => number;
  /**
   * Keeps work alive that nobody awaits, as `waitUntil` does. It is given promises that never
   * reject.
   */
  background?: (work: Promise<unknown>) => void;
  /** Told of every hit and miss of `get`, `getMany` and `remember`. */
  notify?: (name: "cache.hit" | "cache.miss", event: CacheEvent) => void;
  /** Told of a store that fails under `remember`, and of a background refresh that fails. */
  logger?: Logger;
  /**
   * How long a caller of `remember` waits for another one's producer before calling its own, in
   * milliseconds; 30,000 when not given, which is what Workers grant a request after its client
   * left. `Infinity` waits for ever.
   */
  flightTimeoutMs?: number;
}

/** How `remember` keeps what it was given. */
export interface RememberOptions {
  /**
   * For how many milliseconds after its expiry a value is still served, while one refresh runs in
   * the background; 0 when not given.
   */
  staleMs?: number;
}

/**
 * A data cache over any {@link CacheStore}: exact expiry, any key, one producer call per key.
 *
 * A miss is `undefined`; `null`, `0`, `""` and `false` are hits. Values come back as JSON gives
 * them back, a new copy each time. Failures of the store reject with the store's own error, except
 * under `remember`, which then works without the store.
 *
 * ```ts
 * const cache = new Cache({ store: new MemoryCacheStore() });
 * const user = await cache.remember(`user:${id}`, () => loadUser(id), 60_000);
 * ```
 */
export class Cache {
  readonly #options: CacheOptions;
  readonly #now: () => number;
  #flights: SingleFlight;
  #recaller: RememberRunner;
  #adapted = new WeakMap<object, CacheStore>();
  #prefix = "";
  #namespace: readonly string[] = [];

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    this.#flights = new SingleFlight(options.flightTimeoutMs ?? 30_000, this.#now);
    const { background, logger } = options;
    this.#recaller = new RememberRunner({
      singleFlight: this.#flights,
      now: this.#now,
      background,
      logger,
    });
  }

  /** The value of a key, or `undefined` when there is none. */
  async get<T = unknown>(key: string): Promise<T | undefined> {
    return this.#record<T>(key, await this.#read(key));
  }

  /** The values of many keys, in the order of the keys, `undefined` for each that has none. */
  async getMany<T = unknown>(keys: readonly string[]): Promise<(T | undefined)[]> {
    const store = this.#store();
    const storeKeys = await Promise.all(keys.map((key) => toStoreKey(this.#prefix, key)));
    const stored = await readMany(store, storeKeys);
    return keys.map((key, index) => this.#record<T>(key, decodeEntry(stored[index])));
  }

  /** Whether a key has a value now. */
  async has(key: string): Promise<boolean> {
    return isFresh(await this.#read(key), this.#now());
  }

  /**
   * Keeps a value for `ttlMs` milliseconds; without `ttlMs`, or with `Infinity`, until it is
   * deleted. With zero or less, and for `undefined`, the key has no value afterwards.
   *
   * @throws TypeError for a TTL that is not a number (`ERR_CACHE_BAD_TTL`), and for a value that
   *   JSON cannot hold (`ERR_CACHE_NOT_JSON`): a Map, a Promise, a BigInt, a cycle
   */
  async set(key: string, value: unknown, ttlMs?: number): Promise<void> {
    const parsedTtlMs = parseTtl(ttlMs);
    if (value === undefined || parsedTtlMs <= 0) return await this.delete(key);
    const text = encodeEntry(key, value, this.#now() + parsedTtlMs);
    await this.#mutate(key, (store, storeKey) =>
      store.set(storeKey, text, toStoreTtl(parsedTtlMs)),
    );
  }

  /** Removes a key. A producer that runs for it meanwhile does not bring it back. */
  async delete(key: string): Promise<void> {
    await this.#mutate(key, (store, storeKey) => store.delete(storeKey));
  }

  /**
   * Removes every key of this cache, or of this namespace.
   *
   * @throws EspalierError `ERR_CACHE_CLEAR_UNSUPPORTED` when the store cannot
   */
  async clear(): Promise<void> {
    const store = this.#store();
    await this.#flights.cancelAll(store, this.#prefix);
    if (this.#prefix === "" && store.clear !== undefined) {
      await store.clear();
    } else if (store.clearPrefix !== undefined) {
      await store.clearPrefix(this.#prefix);
    } else {
      const [what, method] =
        this.#prefix === "" ? ["all keys", "clear"] : ["one namespace", "clearPrefix"];
      throw new EspalierError(
        "ERR_CACHE_CLEAR_UNSUPPORTED",
        `The cache store cannot clear ${what}: it has no method "${method}". ` +
          "Add it, or delete keys one by one.",
      );
    }
    await this.#flights.cancelAll(store, this.#prefix);
  }

  /**
   * The value of a key; when it has none, what `producer` makes, kept for `ttlMs` milliseconds.
   *
   * However many callers wait in this isolate, one producer runs. When it fails, each of them gets
   * its error and nothing is kept; when it gives `undefined`, each gets that and nothing is kept. A
   * key that is set or deleted meanwhile keeps that outcome. A producer must not `remember` its own
   * key.
   *
   * A store that cannot be read or written is logged and done without. A caller waits at most
   * `flightTimeoutMs` for another one's producer, then calls its own.
   *
   * @throws TypeError for a producer that is no function (`ERR_CACHE_BAD_PRODUCER`), a TTL that is no
   *   number (`ERR_CACHE_BAD_TTL`), an option that there is not (`ERR_CACHE_BAD_OPTION`)
   */
  async remember<T>(
    key: string,
    producer: () => T | PromiseLike<T>,
    ttlMs?: number,
    options: RememberOptions = {},
  ): Promise<T> {
    if (typeof producer !== "function") throw badProducer(key, producer, ttlMs);
    checkRememberOptions(options);
    const name = toStoreKey(this.#prefix, key);
    const recall: RememberCall = {
      store: this.#store(),
      // A hit in memory then awaits nothing at all.
      storeKey: typeof name === "string" ? name : await name,
      key,
      producer,
      ttlMs: parseTtl(ttlMs),
      staleMs: Math.max(0, parseTtl(options.staleMs ?? 0, "staleMs")),
    };
    let answer = this.#recaller.find(recall);
    while (answer instanceof Promise) answer = (await answer) ?? this.#recaller.find(recall);
    this.#notify(answer.produced ? "cache.miss" : "cache.hit", key);
    // What is stored under a key is what the application put there: its type is the caller's word.
    return answer.value as T;
  }

  /**
   * A part of this cache whose keys are its own: `namespace("a")` and `namespace("b")` share no
   * key, nor does either share one with this cache. It can be cleared alone, if the store has
   * `clearPrefix`.
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
    cache.#flights = this.#flights;
    cache.#recaller = this.#recaller;
    cache.#adapted = this.#adapted;
    cache.#prefix = prefix;
    cache.#namespace = [...this.#namespace, name];
    return cache;
  }

  #store(): CacheStore {
    const given = this.#options.store;
    const source = typeof given === "function" ? given() : given;
    let store = this.#adapted.get(source);
    if (store === undefined) {
      store = toCacheStore(source);
      this.#adapted.set(source, store);
    }
    return store;
  }

  async #read(key: string): Promise<Entry | undefined> {
    const name = toStoreKey(this.#prefix, key);
    const stored = this.#store().get(typeof name === "string" ? name : await name);
    return decodeEntry(isThenable(stored) ? await stored : stored);
  }

  /** Does what the caller says to a key, with no producer's result written after it. */
  async #mutate(key: string, act: (store: CacheStore, storeKey: string) => unknown): Promise<void> {
    const store = this.#store();
    const name = toStoreKey(this.#prefix, key);
    const storeKey = typeof name === "string" ? name : await name;
    const writing = this.#flights.cancel(store, storeKey);
    if (writing !== undefined) await writing;
    await act(store, storeKey);
    // One that started meanwhile may have seen the store as it was before.
    this.#flights.cancel(store, storeKey);
  }

  /** The value of what `get` found, told to whoever listens. */
  #record<T>(key: string, entry: Entry | undefined): T | undefined {
    const hit = isFresh(entry, this.#now());
    this.#notify(hit ? "cache.hit" : "cache.miss", key);
    // As in `remember`: the type is the caller's word.
    return hit ? (entry.value as T) : undefined;
  }

  #notify(name: "cache.hit" | "cache.miss", key: string): void {
    this.#options.notify?.(name, { key, namespace: this.#namespace });
  }
}

async function readMany(store: CacheStore, keys: string[]): Promise<unknown[]> {
  const stored: unknown = keys.length === 0 ? [] : await store.getMany?.(keys);
  // A store of another library may have a `getMany` that answers in another form.
  if (Array.isArray(stored) && stored.length === keys.length) return stored;
  return await Promise.all(keys.map((key) => store.get(key)));
}

const rememberOptionNames: OptionNames<RememberOptions> = { staleMs: true };

function checkRememberOptions(options: RememberOptions): void {
  const problem = findOptionProblem(options, rememberOptionNames);
  if (problem !== undefined) throw createTypeError("ERR_CACHE_BAD_OPTION", `remember: ${problem}`);
}

function badProducer(key: string, producer: unknown, ttlMs: unknown): TypeError {
  const given = kindOf(producer);
  return createTypeError(
    "ERR_CACHE_BAD_PRODUCER",
    `The producer of ${JSON.stringify(key)} is ${given}, not a function. ` +
      (typeof ttlMs === "function"
        ? "The order is: key, producer, ttlMs."
        : "Pass one that makes the value: () => repository.list()."),
  );
}
