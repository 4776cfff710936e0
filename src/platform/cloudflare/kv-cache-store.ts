import type { CacheStore } from "../../cache/cache-store.ts";
import { EspalierError } from "../../errors.ts";
import type { KvNamespace } from "./kv-types.ts";

const valueLimitBytes = 25 * 1024 * 1024;
const keysPerBulkGet = 100;
/** Workers KV requires at least 60 seconds, and its clock differs from the isolate's. */
const marginSeconds = 60;
/** About thirty years. Longer TTLs overflow the platform's integer and are stored without expiry. */
const maxTtlSeconds = 1_000_000_000;

/** Options of {@link KvCacheStore}. */
export interface KvCacheStoreOptions {
  /** Prefix of all keys, so that the namespace can hold other data; default `cache:`. */
  prefix?: string;
}

/**
 * Cache store on Workers KV.
 *
 * KV is eventually consistent: after a write or delete, other locations may return the previous entry for a
 * minute or more (but not past its expiry, which the cache checks itself), and the last of two writes wins.
 * Each key accepts one write per second; further writes are rejected with 429.
 *
 * ```ts
 * app.useCacheStore(new KvCacheStore(env.KV));
 * ```
 */
export class KvCacheStore implements CacheStore {
  /** Other locations may read the previous value for a minute or longer. */
  readonly isEventuallyConsistent = true;
  readonly #namespace: KvNamespace;
  readonly #prefix: string;

  constructor(namespace: KvNamespace, options: KvCacheStoreOptions = {}) {
    this.#namespace = namespace;
    this.#prefix = options.prefix ?? "cache:";
  }

  async get(key: string): Promise<string | undefined> {
    const read = this.#namespace.get(this.#prefix + key, "text");
    return (await explain("read", key, read)) ?? undefined;
  }

  /** Reads a hundred keys per operation, or key by key if bulk reads are not available. */
  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    const texts: (string | undefined)[] = [];
    for (let from = 0; from < keys.length; from += keysPerBulkGet) {
      texts.push(...(await this.#getBulk(keys.slice(from, from + keysPerBulkGet))));
    }
    return texts;
  }

  /** @throws EspalierError `ERR_CACHE_VALUE_TOO_LARGE` for more than 25 MiB, before asking KV */
  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    if (isTooLarge(text)) {
      throw new EspalierError(
        "ERR_CACHE_VALUE_TOO_LARGE",
        `The value of cache key "${key}" is larger than the ${valueLimitBytes} bytes (25 MiB) ` +
          "that Workers KV accepts. Cache less, or store it in R2 and cache its key.",
      );
    }
    const seconds = ttlMs === undefined ? maxTtlSeconds : Math.ceil(ttlMs / 1000) + marginSeconds;
    const options = seconds < maxTtlSeconds ? { expirationTtl: seconds } : {};
    await explain("write", key, this.#namespace.put(this.#prefix + key, text, options));
  }

  async delete(key: string): Promise<void> {
    await explain("delete", key, this.#namespace.delete(this.#prefix + key));
  }

  /** Deletes key by key, so it is bounded by the 1000 operations of a request on Workers. */
  async clear(): Promise<void> {
    await this.clearPrefix("");
  }

  async clearPrefix(prefix: string): Promise<void> {
    let cursor: string | undefined;
    do {
      const options = {
        prefix: this.#prefix + prefix,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = await explain("list", prefix, this.#namespace.list(options));
      const names = page.keys.map((key) => key.name);
      const deletes = names.map((name) => explain("delete", name, this.#namespace.delete(name)));
      await Promise.all(deletes);
      cursor = page.list_complete ? undefined : page.cursor;
    } while (cursor !== undefined);
  }

  async #getBulk(keys: string[]): Promise<(string | undefined)[]> {
    const names = keys.map((key) => this.#prefix + key);
    let found: Map<string, string | null> | null;
    try {
      found = await this.#namespace.get(names, "text");
    } catch {
      // All values together may exceed the response limit although each alone does not.
      found = null;
    }
    // A namespace without bulk reads treats the array as a single key and does not return a Map.
    if (!(found instanceof Map)) return await Promise.all(keys.map((key) => this.get(key)));
    return names.map((name) => found.get(name) ?? undefined);
  }
}

/** Encodes only if the string length is inconclusive: a UTF-16 code unit takes one to three bytes. */
function isTooLarge(text: string): boolean {
  if (text.length * 3 <= valueLimitBytes) return false;
  return (
    text.length > valueLimitBytes || new TextEncoder().encode(text).byteLength > valueLimitBytes
  );
}

/** Runs a KV operation; errors name the action and the key. */
async function explain<T>(action: string, key: string, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const failure = `Workers KV could not ${action} "${key}": ${reason}.`;
    // The limit is per key: KV itself is available, and other keys can be read and written.
    if ((action === "write" || action === "delete") && /\b429\b/.test(reason)) {
      throw new EspalierError(
        "ERR_CACHE_TOO_MANY_WRITES",
        `${failure} A key can be written once a second: write it less often, or spread the keys.`,
        { cause },
      );
    }
    throw new EspalierError("ERR_CACHE_STORE_FAILED", failure, { cause });
  }
}
