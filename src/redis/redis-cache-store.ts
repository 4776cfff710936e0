import type { CacheStore } from "../cache/cache-store.ts";
import { EspalierError } from "../errors.ts";
import type { RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions } from "./redis-options.ts";
import { RedisStrings } from "./redis-strings.ts";

/** Number of keys that one SCAN looks at. */
const scanCount = "500";

/**
 * Cache store in Redis or Valkey, shared by all processes of an application.
 *
 * @example
 * import { Redis } from "ioredis";
 * app.useCacheStore(new RedisCacheStore({ client: new Redis(env.REDIS_URL) }));
 */
export class RedisCacheStore implements CacheStore {
  readonly #connection: RedisConnection;
  readonly #strings: RedisStrings;

  /**
   * @param options `prefix` defaults to `cache:`
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisStoreOptions) {
    const { connection, prefix } = checkRedisOptions("RedisCacheStore", options, "cache:");
    this.#connection = connection;
    this.#strings = new RedisStrings(connection, prefix);
  }

  /** Returns the string of an entry; `null` if the key is absent. */
  get(key: string): Promise<unknown> {
    return this.#strings.get(key);
  }

  /** Returns the strings of many keys in one round trip; on a cluster, in one for each key. */
  async getMany(keys: string[]): Promise<unknown> {
    if (keys.length === 0) return [];
    if (this.#connection.isCluster) return await Promise.all(keys.map((key) => this.get(key)));
    return await this.#connection.send(["MGET", ...keys.map((key) => this.#strings.fullKey(key))]);
  }

  /** Stores an entry for `ttlMs` milliseconds; without it, until it is deleted or evicted. */
  set(key: string, value: string, ttlMs?: number): Promise<void> {
    return this.#strings.set(key, value, ttlMs);
  }

  /** Stores an entry if the key still holds `expected`, or is absent if it is undefined. */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlMs?: number,
  ): Promise<boolean> {
    return expected === undefined
      ? this.#strings.setIfAbsent(key, value, ttlMs)
      : this.#strings.compareAndSet(key, expected, value, ttlMs);
  }

  /** Deletes an entry; Redis frees its memory in the background. */
  delete(key: string): Promise<void> {
    return this.#strings.delete(key);
  }

  /** Returns true if the key exists. */
  async has(key: string): Promise<boolean> {
    return Number(await this.#connection.send(["EXISTS", this.#strings.fullKey(key)])) > 0;
  }

  /**
   * Deletes all entries with the prefix of this store. Takes time in proportion to the size of the database,
   * in steps between which Redis serves other clients. A namespace is cleared without it, by one write.
   *
   * @throws EspalierError `ERR_CACHE_CLEAR_UNSUPPORTED` on a cluster
   */
  async clear(): Promise<void> {
    const { send, isCluster } = this.#connection;
    if (isCluster) {
      throw new EspalierError(
        "ERR_CACHE_CLEAR_UNSUPPORTED",
        "RedisCacheStore cannot find all keys of a cluster. Clear namespaces, or use one server.",
      );
    }
    const pattern = `${escapePattern(this.#strings.fullKey(""))}*`;
    let cursor = "0";
    do {
      const reply = await send(["SCAN", cursor, "MATCH", pattern, "COUNT", scanCount]);
      const [next, keys] = reply as [unknown, string[]];
      if (keys.length > 0) await send(["UNLINK", ...keys]);
      cursor = String(next);
    } while (cursor !== "0");
  }
}

/** Escapes the characters that MATCH gives a meaning. */
function escapePattern(text: string): string {
  return text.replace(/[*?[\]\\^-]/g, "\\$&");
}
