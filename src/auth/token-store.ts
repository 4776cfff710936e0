import { EspalierError } from "../errors.ts";
import type { Logger } from "../observability/logger.ts";
import { StoreCaller } from "../resilience/store-caller.ts";
import { hasMethods } from "../util/has-methods.ts";
import { badOption } from "../util/options.ts";

/**
 * Stores the state of tokens: revoked token ids and refresh tokens.
 *
 * An entry may disappear only when its `ttlMs` has passed. A store that drops entries earlier, such as
 * an LRU cache, would accept a revoked token again, so it must report `evicts: true` and is rejected.
 *
 * ```ts
 * const store: TokenStore = {
 *   get: (key) => redis.get(key),
 *   set: (key, value, ttlMs) => redis.set(key, value, ttlMs === undefined ? {} : { PX: ttlMs }),
 * };
 * ```
 */
export interface TokenStore {
  /** Returns the value of a key, or a promise of it; `undefined` or `null` if the key is absent. */
  get(key: string): unknown;
  /** Stores a value for `ttlMs` milliseconds; without it, until it is overwritten. */
  set(key: string, value: string, ttlMs?: number): unknown;
  /**
   * Stores a value if the key has the value `expected` now, in one atomic step. Returns true, or a
   * promise of it, if it did.
   *
   * Without this method two simultaneous refreshes with one token may both succeed; the next use of
   * the token that lost is then detected as reuse.
   */
  compareAndSet?(
    key: string,
    expected: string,
    value: string,
    ttlMs: number,
  ): boolean | Promise<boolean>;
  /** True if entries may be dropped before they expire, for example by LRU eviction. */
  readonly evicts?: boolean;
  /** True if other instances may read the previous value for a while, as with Workers KV. */
  readonly isEventuallyConsistent?: boolean;
}

/** A store, or a function that returns it when it is needed. */
export type TokenStoreSource = TokenStore | (() => TokenStore);

/** Options of {@link TokenStoreClient}. */
export interface TokenStoreClientOptions {
  readonly source: TokenStoreSource;
  /** The option of `Auth` that holds the store, for messages. */
  readonly option: string;
  readonly timeoutMs: number;
  /** True if a stale read would break the feature. */
  readonly needsConsistency: boolean;
}

/** Calls a {@link TokenStore} of the application with a deadline and a circuit breaker. */
export class TokenStoreClient {
  readonly #options: TokenStoreClientOptions;
  readonly #caller: StoreCaller;

  /**
   * Checks a store at once. A function is called when the store is first needed.
   *
   * @throws EspalierError `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_UNSAFE_STORE`
   */
  constructor(options: TokenStoreClientOptions) {
    this.#options = options;
    const { option, timeoutMs, source } = options;
    this.#caller = new StoreCaller({ name: `store in the option "${option}" of Auth`, timeoutMs });
    if (typeof source !== "function") this.#checked(source);
  }

  /**
   * Checks the store that a function returns.
   *
   * @throws EspalierError `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_UNSAFE_STORE`; what the function throws
   */
  prepare(): void {
    this.#store();
  }

  /**
   * Returns the value of a key; `undefined` if the key is absent.
   *
   * @throws StoreError if the store fails or times out
   */
  async get(key: string, logger: Logger): Promise<string | undefined> {
    const store = this.#store();
    const value: unknown = await this.#caller.call(() => store.get(key), logger);
    // Any other value means that the key exists, so it must not count as absent.
    return value === undefined || value === null ? undefined : String(value);
  }

  /**
   * Returns true if the store has one of the keys. It is one call with one deadline: of two calls the
   * second would be refused while a breaker admits the first as its probe.
   *
   * @throws StoreError if the store fails or times out
   */
  async hasAny(keys: readonly string[], logger: Logger): Promise<boolean> {
    if (keys.length === 0) return false;
    const store = this.#store();
    const read = async (key: string): Promise<unknown> => await store.get(key);
    const values = await this.#caller.call(() => Promise.all(keys.map(read)), logger);
    return values.some((value) => value !== undefined && value !== null);
  }

  /** @throws StoreError if the store fails or times out */
  async set(key: string, value: string, ttlMs: number | undefined, logger: Logger): Promise<void> {
    const store = this.#store();
    await this.#caller.call(() => store.set(key, value, ttlMs), logger);
  }

  /**
   * Replaces a value that has not changed. Returns false if it has.
   *
   * @throws StoreError if the store fails or times out
   */
  async compareAndSet(
    key: string,
    expected: string,
    value: string,
    ttlMs: number,
    logger: Logger,
  ): Promise<boolean> {
    const store = this.#store();
    if (store.compareAndSet !== undefined) {
      return (
        (await this.#caller.call(
          () => store.compareAndSet?.(key, expected, value, ttlMs),
          logger,
        )) === true
      );
    }
    if ((await this.get(key, logger)) !== expected) return false;
    await this.set(key, value, ttlMs, logger);
    return true;
  }

  #store(): TokenStore {
    const { source } = this.#options;
    // What the function returns may differ from call to call, so each store is checked.
    return this.#checked(typeof source === "function" ? source() : source);
  }

  #checked(store: TokenStore): TokenStore {
    const { option, needsConsistency } = this.#options;
    if (!hasMethods(store, "get", "set"))
      throw badOption(owner, option, store, "a store with the methods get and set");
    if (store.evicts === true) throw unsafeStore(option, evictionProblem);
    if (needsConsistency && store.isEventuallyConsistent === true) {
      throw unsafeStore(option, consistencyProblem);
    }
    return store;
  }
}

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "Auth" } as const;

const evictionProblem =
  "evicts entries before they expire, so a revoked token would be accepted again. Use a store that " +
  "drops entries by time alone: new MemoryTokenStore() in one process, Redis without eviction, or a " +
  'database table. If the store is chosen later, pass a function: () => app.cache.namespace("tokens").';

const consistencyProblem =
  "is eventually consistent, so a refresh would be mistaken for reuse. Use a store that reads its own " +
  "writes: D1, a Durable Object, Redis or a database table.";

function unsafeStore(option: string, problem: string): EspalierError {
  return new EspalierError(
    "ERR_AUTH_UNSAFE_STORE",
    `The store in the option "${option}" of Auth ${problem}`,
  );
}
