import type { RedisConnection } from "./redis-client.ts";
import { toRedisTtl } from "./redis-options.ts";
import { RedisScript } from "./redis-script.ts";

const replace = new RedisScript(`
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`);

const remove = new RedisScript(`
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("UNLINK", KEYS[1])
return 1`);

/**
 * Replaces the string of a key if it equals `expected`, or deletes the key if `text` is undefined, in one
 * atomic step. Returns true if it did.
 */
export async function compareAndSet(
  connection: RedisConnection,
  key: string,
  expected: string,
  text: string | undefined,
  ttlMs: number,
): Promise<boolean> {
  const reply =
    text === undefined
      ? await remove.run(connection, key, [expected])
      : await replace.run(connection, key, [expected, text, toRedisTtl(ttlMs)]);
  return Number(reply) === 1;
}
