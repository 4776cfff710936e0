import { createDenoStore } from "#drivers";
import { KvCacheStore } from "../platform/cloudflare/kv-cache-store.ts";
import { checkCacheSource, isDenoKv, isKvNamespace, isUnstorage } from "./cache-source.ts";
import type { CacheStore } from "./cache-store.ts";
import { UnstorageCacheStore } from "./unstorage-store.ts";

/**
 * The store for what an application has: a store as it is, a Keyv or a Map too; a Workers KV
 * namespace, a `Deno.Kv` and an unstorage storage adapted.
 *
 * Told apart by their methods, so that no package has to be there.
 *
 * @throws EspalierError `ERR_CACHE_BAD_STORE` for anything else
 * @example const cache = new Cache({ store: toCacheStore(new Map()) });
 */
export function toCacheStore(source: unknown): CacheStore {
  if (isKvNamespace(source)) return new KvCacheStore(source);
  if (isDenoKv(source)) return createDenoStore(source);
  if (isUnstorage(source)) return new UnstorageCacheStore(source);
  return checkCacheSource(source) as CacheStore; // the other kinds have been adapted above
}
