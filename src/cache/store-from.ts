import { createDenoStore } from "#drivers";
import { EspalierError } from "../errors.ts";
import { KvCacheStore } from "../platform/cloudflare/kv-cache-store.ts";
import type { KvNamespace } from "../platform/cloudflare/kv-types.ts";
import type { DenoKv } from "../platform/deno/kv-cache-types.ts";
import { kindOf } from "../util/describe.ts";
import type { CacheStore } from "./cache-store.ts";
import { UnstorageCacheStore, type UnstorageLike } from "./unstorage-store.ts";

/** Everything a cache can be kept in. */
export type CacheSource = CacheStore | KvNamespace | DenoKv | UnstorageLike;

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
  if (isCacheStore(source)) return source;
  throw new EspalierError(
    "ERR_CACHE_BAD_STORE",
    `A cache cannot be kept in ${describeSource(source)}. Give a store with the methods ` +
      "get, set and delete (such as Keyv), a Workers KV namespace, a Deno.Kv, or an unstorage " +
      "storage.",
  );
}

/** An R2 bucket has these methods too, and `head`, but no text to give. */
function isKvNamespace(source: unknown): source is KvNamespace {
  return hasMethods(source, "get", "put", "delete", "list") && !hasMethods(source, "head");
}

function isDenoKv(source: unknown): source is DenoKv {
  return hasMethods(source, "get", "list", "delete", "atomic");
}

function isUnstorage(source: unknown): source is UnstorageLike {
  return hasMethods(source, "getItem", "setItem", "removeItem", "getKeys");
}

function isCacheStore(source: unknown): source is CacheStore {
  return hasMethods(source, "get", "set", "delete");
}

function hasMethods(source: unknown, ...names: string[]): boolean {
  if (typeof source !== "object" || source === null) return false;
  return names.every((name) => typeof Reflect.get(source, name) === "function");
}

function describeSource(source: unknown): string {
  if (source instanceof Promise) return "a promise (await it first)";
  if (typeof source !== "object" || source === null) return kindOf(source);
  const missing = ["get", "set", "delete"].filter((method) => !hasMethods(source, method));
  return `${kindOf(source)} without ${missing.join(", ")}`;
}
