import { EspalierError } from "../../errors.ts";

// What a Worker has comes with its bindings, and cron triggers follow its schedules: a bundle for it is
// not to carry the drivers of other platforms.

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
