import { EspalierError } from "../../errors.ts";

// Workers get stores through bindings and schedules through cron triggers, so that their bundle must not
// include the drivers of other platforms.

export const loadCronEngine = undefined;

export function createPlatformStore(): undefined {}

export function createDenoStore(_kv: object): never {
  throw new EspalierError(
    "ERR_CACHE_BAD_STORE",
    "A Worker does not adapt a Deno.Kv by itself. Give a new DenoKvCacheStore(kv) of espalier/deno.",
  );
}

export function platformQueueName(): undefined {}

export function createPlatformQueue(): undefined {}
