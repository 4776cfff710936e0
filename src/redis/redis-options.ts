import {
  badOption,
  checkOptionNames,
  type OptionNames,
  type OptionOwner,
} from "../util/options.ts";
import { connectRedis, type RedisClient, type RedisConnection } from "./redis-client.ts";

/** Options of every store in Redis. */
export interface RedisStoreOptions {
  /** Client of ioredis, node-redis or Bun, or a function that sends one command. */
  readonly client: RedisClient;
  /** Prefix of all keys of the store, so that the database can hold other data. */
  readonly prefix?: string;
}

const optionNames: OptionNames<RedisStoreOptions> = { client: true, prefix: true };

/** Connection and key prefix of a store. */
export interface CheckedRedisOptions {
  readonly connection: RedisConnection;
  readonly prefix: string;
}

/** @throws EspalierError `ERR_REDIS_BAD_OPTION`, `ERR_REDIS_BAD_CLIENT` */
export function checkRedisOptions<Options extends RedisStoreOptions>(
  name: string,
  options: Options,
  defaultPrefix: string,
  names: OptionNames<Options> = optionNames as OptionNames<Options>,
): CheckedRedisOptions {
  const owner: OptionOwner = { code: "ERR_REDIS_BAD_OPTION", name };
  checkOptionNames(owner, options, names);
  const { client, prefix = defaultPrefix } = options;
  if (typeof prefix !== "string") throw badOption(owner, "prefix", prefix, "a string");
  return { connection: connectRedis(client, name), prefix };
}

/** Time to live as Redis takes it: whole milliseconds, at least 1, and less than 2^53. */
export function toRedisTtl(ttlMs: number): string {
  return String(Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.ceil(ttlMs))));
}
