import type { TokenStore } from "../auth/token-store.ts";
import { EspalierError } from "../errors.ts";
import { readEvictionPolicy } from "./eviction-policy.ts";
import type { RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions } from "./redis-options.ts";
import { RedisStrings } from "./redis-strings.ts";

/**
 * Stores revoked tokens and refresh tokens in Redis or Valkey, shared by all processes of an application.
 *
 * An entry must not disappear before its time, or a revoked token would be accepted again. So the first
 * call reads the server's `maxmemory` and `maxmemory-policy`, and each call fails with
 * `ERR_REDIS_EVICTS` if the server may evict keys.
 *
 * @example const auth = new Auth({ secret, revocations: new RedisTokenStore({ client }) });
 */
export class RedisTokenStore implements TokenStore {
  readonly #connection: RedisConnection;
  readonly #strings: RedisStrings;
  #isSafe = false;

  /**
   * @param options `prefix` defaults to `token:`
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisStoreOptions) {
    const { connection, prefix } = checkRedisOptions("RedisTokenStore", options, "token:");
    this.#connection = connection;
    this.#strings = new RedisStrings(connection, prefix);
  }

  /** Returns the value of a key; `null` if the key is absent. */
  async get(key: string): Promise<unknown> {
    await this.#refuseEviction();
    return await this.#strings.get(key);
  }

  /** Stores a value for `ttlMs` milliseconds; without it, until it is overwritten. */
  async set(key: string, value: string, ttlMs?: number): Promise<void> {
    await this.#refuseEviction();
    await this.#strings.set(key, value, ttlMs);
  }

  /** Replaces a value that has not changed; returns true if it did. */
  async compareAndSet(
    key: string,
    expected: string,
    value: string,
    ttlMs: number,
  ): Promise<boolean> {
    await this.#refuseEviction();
    return await this.#strings.compareAndSet(key, expected, value, ttlMs);
  }

  async #refuseEviction(): Promise<void> {
    if (this.#isSafe) return;
    const policy = await readEvictionPolicy(this.#connection);
    if (policy !== undefined) {
      throw new EspalierError(
        "ERR_REDIS_EVICTS",
        `The Redis server of RedisTokenStore has the maxmemory-policy "${policy}", so it may evict a revoked ` +
          "token, which would be accepted again. Set it to noeviction, or keep tokens on another server.",
      );
    }
    this.#isSafe = true;
  }
}
