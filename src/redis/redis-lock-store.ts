import type { LockStore } from "../lock/lock-store.ts";
import { findEvictionRisk } from "./eviction-policy.ts";
import type { RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions, toRedisTtl } from "./redis-options.ts";
import { RedisScript } from "./redis-script.ts";

/**
 * The key of a lock holds its owner while it is held; the last fencing token is in a second key. A token is the
 * server's time in microseconds or more, so that tokens grow also when the second key has expired or is lost.
 */
const acquire = new RedisScript(`
if redis.call("EXISTS", KEYS[1]) == 1 then return false end
local last = tonumber(redis.call("GET", KEYS[1] .. ":token") or 0)
local time = redis.call("TIME")
local token = math.max(last + 1, time[1] * 1000000 + time[2])
local rememberedMs = math.max(tonumber(ARGV[2]), tonumber(ARGV[3]))
redis.call("SET", KEYS[1] .. ":token", string.format("%.0f", token), "PX", string.format("%.0f", rememberedMs))
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return token`);

const renew = new RedisScript(`
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("PEXPIRE", KEYS[1], ARGV[2])`);

const release = new RedisScript(`
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("DEL", KEYS[1])`);

/**
 * Time for which the last fencing token of a lock is remembered, in milliseconds: a day. It is needed only if the
 * clock is set back meanwhile; names may come from clients, so that each one that is remembered costs memory.
 */
const tokenTtlMs = 24 * 3600 * 1000;

/**
 * Locks in Redis or Valkey, which exclude all processes of an application from each other.
 *
 * The locks are those of one server. A failover to a replica that did not receive a lock can give it to a
 * second holder; `fencingToken` is for what must be safe from that, too. The first lock logs a warning if
 * the server may evict keys, by its `maxmemory` and `maxmemory-policy`.
 *
 * @example app.useLockStore(new RedisLockStore({ client }));
 */
export class RedisLockStore implements LockStore {
  readonly #connection: RedisConnection;
  readonly #prefix: string;

  /**
   * @param options `prefix` defaults to `lock:`
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisStoreOptions) {
    const { connection, prefix } = checkRedisOptions("RedisLockStore", options, "lock:");
    this.#connection = connection;
    this.#prefix = prefix;
  }

  /** Takes a lock; resolves to its fencing token, or undefined if it is held. */
  async acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined> {
    const args = [owner, toRedisTtl(ttlMs), tokenTtlMs];
    const reply = await acquire.run(this.#connection, this.#key(name), args);
    return reply === null || reply === undefined ? undefined : Number(reply);
  }

  /** Extends a lock; resolves to false if `owner` no longer holds it. */
  async renew(name: string, owner: string, ttlMs: number): Promise<boolean> {
    const reply = await renew.run(this.#connection, this.#key(name), [owner, toRedisTtl(ttlMs)]);
    return Number(reply) === 1;
  }

  /** Releases a lock; resolves to false if `owner` no longer holds it. */
  async release(name: string, owner: string): Promise<boolean> {
    return Number(await release.run(this.#connection, this.#key(name), [owner])) === 1;
  }

  /** Resolves to a warning if the server may evict keys. */
  findRisk(): Promise<string | undefined> {
    const consequence = "it may evict a lock that is held, which then gets a second holder";
    return findEvictionRisk(this.#connection, "RedisLockStore", consequence);
  }

  /** The braces keep both keys of a lock on one server of a cluster. */
  #key(name: string): string {
    return `{${this.#prefix}${name}}`;
  }
}
