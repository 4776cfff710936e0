import type { CacheStore } from "../../cache/cache-store.ts";
import type { QueueAdapter } from "../../queue/queue-adapter.ts";
import { findDenoKv } from "../deno/find-deno-kv.ts";
import { DenoKvCacheStore } from "../deno/kv-cache-store.ts";
import type { DenoKv as CacheKv } from "../deno/kv-cache-types.ts";
import { DenoKvQueueAdapter } from "../deno/kv-queue-adapter.ts";
import type { DenoKv as QueueKv } from "../deno/kv-queue-types.ts";

export { loadCronEngine } from "./croner-engine.ts";

/** Creates the cache store built into the runtime: Deno's; undefined elsewhere. */
export function createPlatformStore(): CacheStore | undefined {
  const openKv = findDenoKv<CacheKv>();
  return openKv === undefined ? undefined : new DenoKvCacheStore(openKv);
}

/** Creates a cache store on a `Deno.Kv` that the application has opened. */
export function createDenoStore(kv: CacheKv): CacheStore {
  return new DenoKvCacheStore(kv);
}

/** Returns the name of the queue of {@link createPlatformQueue}; undefined where it creates none. */
export function platformQueueName(): string | undefined {
  return findDenoKv() === undefined ? undefined : "deno-kv";
}

/** Creates the queue built into the runtime: Deno's; undefined elsewhere. */
export function createPlatformQueue(): QueueAdapter | undefined {
  const openKv = findDenoKv<QueueKv>();
  return openKv === undefined ? undefined : new DenoKvQueueAdapter({ kv: openKv });
}
