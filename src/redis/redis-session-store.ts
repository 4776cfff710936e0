import type { SessionStore } from "../middleware/session-store.ts";
import { findEvictionRisk } from "./eviction-policy.ts";
import type { RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions } from "./redis-options.ts";
import { RedisStrings } from "./redis-strings.ts";

/**
 * Stores sessions in Redis or Valkey. Writes are atomic: no change of a session is lost between processes,
 * and a session that has ended does not come back. The first request logs a warning if the server may
 * evict keys, by its `maxmemory` and `maxmemory-policy`.
 *
 * @example app.use(new SessionMiddleware({ secret, store: new RedisSessionStore({ client }) }));
 */
export class RedisSessionStore implements SessionStore {
  readonly #connection: RedisConnection;
  readonly #strings: RedisStrings;

  /**
   * @param options `prefix` defaults to the empty string: a session key already has one
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisStoreOptions) {
    const { connection, prefix } = checkRedisOptions("RedisSessionStore", options, "");
    this.#connection = connection;
    this.#strings = new RedisStrings(connection, prefix);
  }

  /** Returns the string of a key; `null` if the key is absent. */
  get(key: string): Promise<unknown> {
    return this.#strings.get(key);
  }

  /** Stores a string for `ttlMs` milliseconds. */
  set(key: string, text: string, ttlMs: number): Promise<void> {
    return this.#strings.set(key, text, ttlMs);
  }

  /** Deletes a key. */
  delete(key: string): Promise<void> {
    return this.#strings.delete(key);
  }

  /** Replaces or deletes a string that has not changed; returns true if it did. */
  compareAndSet(
    key: string,
    expected: string,
    text: string | undefined,
    ttlMs: number,
  ): Promise<boolean> {
    return this.#strings.compareAndSet(key, expected, text, ttlMs);
  }

  /** Resolves to a warning if the server may evict keys. */
  findRisk(): Promise<string | undefined> {
    const consequence = "it may evict a session, whose user is then signed out";
    return findEvictionRisk(this.#connection, "RedisSessionStore", consequence);
  }
}
