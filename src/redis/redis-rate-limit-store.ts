import type {
  RateLimitAttempt,
  RateLimitDecision,
  RateLimitStore,
} from "../rate-limit/rate-limit-store.ts";
import type { OptionNames } from "../util/options.ts";
import type { RedisConnection } from "./redis-client.ts";
import { checkRedisOptions, type RedisStoreOptions } from "./redis-options.ts";
import { RedisScript } from "./redis-script.ts";

/** Options of {@link RedisRateLimitStore}. */
export interface RedisRateLimitStoreOptions extends RedisStoreOptions {
  /** Returns milliseconds since the epoch; default: the clock of the Redis server, one for all processes. */
  readonly now?: () => number;
}

const optionNames: OptionNames<RedisRateLimitStoreOptions> = {
  client: true,
  prefix: true,
  now: true,
};

/**
 * The list of a key holds the times of its admitted requests, oldest first, in milliseconds. A time in the
 * future, after the clock was set back, counts as now: it would block the client until the clock catches up.
 */
const admit = new RedisScript(`
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call("TIME")
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local text = string.format("%.0f", now)
local last = -1
while true do
  local newest = tonumber(redis.call("LINDEX", key, last) or now)
  if newest <= now then break end
  redis.call("LSET", key, last, text)
  last = last - 1
end
while true do
  local oldest = redis.call("LINDEX", key, 0)
  if not oldest or tonumber(oldest) > now - window then break end
  redis.call("LPOP", key)
end
local count = redis.call("LLEN", key)
local allowed = 0
if count < limit then
  allowed = 1
  count = redis.call("RPUSH", key, text)
  redis.call("PEXPIRE", key, math.ceil(window))
end
local next = tonumber(redis.call("LINDEX", key, math.max(0, count - limit)) or now)
return { allowed, math.max(0, limit - count), next + window - now }`);

/**
 * Counts requests in Redis or Valkey, exactly and for all processes of an application: no interval of the
 * length of the window contains more admitted requests than the limit.
 *
 * One atomic script for each request. A client's key takes some 10 bytes for each admitted request and
 * expires with its window.
 *
 * @example app.use(new RateLimitMiddleware({ limit: 100, store: new RedisRateLimitStore({ client }) }));
 */
export class RedisRateLimitStore implements RateLimitStore {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #now: (() => number) | undefined;

  /**
   * @param options `prefix` defaults to `rate-limit:`
   * @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT`
   */
  constructor(options: RedisRateLimitStoreOptions) {
    const name = "RedisRateLimitStore";
    const checked = checkRedisOptions(name, options, "rate-limit:", optionNames);
    this.#connection = checked.connection;
    this.#prefix = checked.prefix;
    this.#now = options.now;
  }

  /** Admits and counts a request, or rejects it. */
  async consume({ key, limit, windowMs }: RateLimitAttempt): Promise<RateLimitDecision> {
    const args = [limit, windowMs, this.#now?.() ?? ""];
    const reply = await admit.run(this.#connection, this.#prefix + key, args);
    const [allowed, remaining, resetMs] = (reply as unknown[]).map(Number);
    return { allowed: allowed === 1, remaining, resetMs };
  }
}
