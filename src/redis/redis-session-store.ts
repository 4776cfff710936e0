import type { SessionStore } from "../middleware/session-store.ts";
import { compareAndSet } from "./compare-and-set.ts";
import type { RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions, toRedisTtl } from "./redis-options.ts";

/**
 * Stores sessions in Redis or Valkey. Writes are atomic: no change of a session is lost between processes,
 * and a session that has ended does not come back.
 *
 * @example app.use(new SessionMiddleware({ secret, store: new RedisSessionStore({ client }) }));
 */
export class RedisSessionStore implements SessionStore {
  readonly #connection: RedisConnection;
  readonly #prefix: string;

  /**
   * @param options `prefix` defaults to the empty string: keys of sessions have one of their own
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisStoreOptions) {
    const { connection, prefix } = checkRedisOptions("RedisSessionStore", options, "");
    this.#connection = connection;
    this.#prefix = prefix;
  }

  /** Returns the string of a key; `null` if the key is absent. */
  get(key: string): Promise<unknown> {
    return this.#connection.send(["GET", this.#prefix + key]);
  }

  /** Stores a string for `ttlMs` milliseconds. */
  async set(key: string, text: string, ttlMs: number): Promise<void> {
    await this.#connection.send(["SET", this.#prefix + key, text, "PX", toRedisTtl(ttlMs)]);
  }

  /** Deletes a key. */
  async delete(key: string): Promise<void> {
    await this.#connection.send(["UNLINK", this.#prefix + key]);
  }

  /** Replaces or deletes a string that has not changed; returns true if it did. */
  compareAndSet(
    key: string,
    expected: string,
    text: string | undefined,
    ttlMs: number,
  ): Promise<boolean> {
    return compareAndSet(this.#connection, this.#prefix + key, expected, text, ttlMs);
  }
}
