import { createDenoStore } from "#drivers";
import { KvCacheStore } from "../platform/cloudflare/kv-cache-store.ts";
import { checkCacheSource, isDenoKv, isKvNamespace, isUnstorage } from "./cache-source.ts";
import type { CacheStore } from "./cache-store.ts";
import { UnstorageCacheStore } from "./unstorage-store.ts";

/**
 * Returns a cache store for any supported storage: a store, Keyv or `Map` unchanged; a Workers KV
 * namespace, a `Deno.Kv` or an unstorage storage through an adapter.
 *
 * Recognises them by their methods, so that no package has to be installed.
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
