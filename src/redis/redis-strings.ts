import type { RedisConnection } from "./redis-client.ts";
import { toRedisTtl } from "./redis-options.ts";
import { RedisScript } from "./redis-script.ts";

const replace = new RedisScript(`
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == "" then redis.call("SET", KEYS[1], ARGV[2])
else redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3]) end
return 1`);

const remove = new RedisScript(`
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("UNLINK", KEYS[1])
return 1`);

/** Strings under keys with one prefix: what the cache, sessions and tokens are stored as. */
export class RedisStrings {
  readonly #connection: RedisConnection;
  readonly #prefix: string;

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection;
    this.#prefix = prefix;
  }

  /** Returns the key as Redis knows it. */
  fullKey(key: string): string {
    return this.#prefix + key;
  }

  /** Resolves to the string of a key; `null` if the key is absent. */
  get(key: string): Promise<unknown> {
    return this.#connection.send(["GET", this.fullKey(key)]);
  }

  /** Stores a string for `ttlMs` milliseconds; without it, until it is deleted. */
  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    await this.#connection.send(["SET", this.fullKey(key), text, ...lifetime(ttlMs)]);
  }

  /** Stores a string if the key is absent; resolves to true if it did. */
  async setIfAbsent(key: string, text: string, ttlMs?: number): Promise<boolean> {
    const command = ["SET", this.fullKey(key), text, ...lifetime(ttlMs), "NX"];
    return (await this.#connection.send(command)) === "OK";
  }

  /** Deletes a key; Redis frees its memory in the background. */
  async delete(key: string): Promise<void> {
    await this.#connection.send(["UNLINK", this.fullKey(key)]);
  }

  /**
   * Replaces the string of a key if it equals `expected`, or deletes the key if `text` is undefined, in one
   * atomic step. Resolves to true if it did.
   */
  async compareAndSet(
    key: string,
    expected: string,
    text: string | undefined,
    ttlMs?: number,
  ): Promise<boolean> {
    const reply =
      text === undefined
        ? await remove.run(this.#connection, this.fullKey(key), [expected])
        : await replace.run(this.#connection, this.fullKey(key), [
            expected,
            text,
            ttlMs === undefined ? "" : toRedisTtl(ttlMs),
          ]);
    return Number(reply) === 1;
  }
}

/** Arguments of SET for a time to live. */
function lifetime(ttlMs: number | undefined): string[] {
  return ttlMs === undefined ? [] : ["PX", toRedisTtl(ttlMs)];
}
