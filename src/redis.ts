export { RedisBroadcastAdapter } from "./redis/redis-broadcast-adapter.ts";
export { RedisCacheStore } from "./redis/redis-cache-store.ts";
export type {
  BunRedisClient,
  IoredisClient,
  NodeRedisClient,
  RedisClient,
  SendRedisCommand,
} from "./redis/redis-client.ts";
export { RedisLockStore } from "./redis/redis-lock-store.ts";
export type { RedisStoreOptions } from "./redis/redis-options.ts";
export {
  RedisRateLimitStore,
  type RedisRateLimitStoreOptions,
} from "./redis/redis-rate-limit-store.ts";
export { RedisSessionStore } from "./redis/redis-session-store.ts";
export { RedisTokenStore } from "./redis/redis-token-store.ts";
