import { EspalierError } from "../errors.ts";
import type { KvNamespace } from "../platform/cloudflare/kv-types.ts";
import type { DenoKv } from "../platform/deno/kv-cache-types.ts";
import { kindOf } from "../util/describe.ts";
import { hasMethods } from "../util/has-methods.ts";
import type { CacheStore } from "./cache-store.ts";
import type { UnstorageLike } from "./unstorage-store.ts";

/** Storage that a cache accepts. */
export type CacheSource = CacheStore | KvNamespace | DenoKv | UnstorageLike;

/**
 * Returns `source` when it is a store, a Keyv, a Map, a Workers KV namespace, a `Deno.Kv` or an unstorage
 * storage, recognised by their methods.
 *
 * @throws EspalierError `ERR_CACHE_BAD_STORE` for anything else
 */
export function checkCacheSource(source: unknown): CacheSource {
  if (isKvNamespace(source) || isDenoKv(source) || isUnstorage(source) || isCacheStore(source)) {
    return source;
  }
  throw new EspalierError(
    "ERR_CACHE_BAD_STORE",
    `A cache cannot be stored in ${describeSource(source)}. Use a store with the methods ` +
      "get, set and delete (such as Keyv), a Workers KV namespace, a Deno.Kv, or an unstorage " +
      "storage.",
  );
}

/** Returns true if a store may drop entries before they expire; see {@link CacheStore.evicts}. */
export function mayEvict(source: CacheSource): boolean {
  return "evicts" in source && source.evicts === true;
}

/** Returns true if reads may be outdated; see {@link CacheStore.isEventuallyConsistent}. */
export function mayReadStale(source: CacheSource): boolean {
  if (isKvNamespace(source)) return true;
  return "isEventuallyConsistent" in source && source.isEventuallyConsistent === true;
}

/** Excludes R2 buckets: they have these methods too, and `head`, but do not return strings. */
export function isKvNamespace(source: unknown): source is KvNamespace {
  return hasMethods(source, "get", "put", "delete", "list") && !hasMethods(source, "head");
}

export function isDenoKv(source: unknown): source is DenoKv {
  return hasMethods(source, "get", "list", "delete", "atomic");
}

export function isUnstorage(source: unknown): source is UnstorageLike {
  return hasMethods(source, "getItem", "setItem", "removeItem", "getKeys");
}

function isCacheStore(source: unknown): source is CacheStore {
  return hasMethods(source, "get", "set", "delete");
}

function describeSource(source: unknown): string {
  if (source instanceof Promise) return `${kindOf(source)} (await it first)`;
  if (typeof source !== "object" || source === null) return kindOf(source);
  const missing = ["get", "set", "delete"].filter((method) => !hasMethods(source, method));
  return `${kindOf(source)} without ${missing.join(", ")}`;
}
