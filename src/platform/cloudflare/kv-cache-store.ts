import type { CacheStore } from "../../cache/cache-store.ts";
import { EspalierError } from "../../errors.ts";
import type { KvNamespace } from "./kv-types.ts";

const LIMIT_BYTES = 25 * 1024 * 1024;
const KEYS_PER_BULK_GET = 100;
/** Workers KV takes 60 seconds at least, and counts them by a clock that is not the isolate's. */
const MARGIN_SECONDS = 60;
/** Some thirty years. Longer ones do not fit the platform's integer, and mean "never" anyway. */
const MAX_TTL_SECONDS = 1_000_000_000;

/** Where a cache lies in its namespace. */
export interface KvCacheStoreOptions {
  /**
   * What all keys begin with, so that the namespace can hold other data; `cache:` when not
   * given.
   */
  prefix?: string;
}

/**
 * A cache store in Workers KV.
 *
 * KV is eventually consistent: after a write or a delete, other places on earth may see the earlier
 * entry for a minute or more (never past its expiry: the cache checks that itself), and of two
 * writes the last one wins. One key takes one write a second; more are refused with 429.
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

  /** Asks for a hundred keys at a time, and for each alone where that is not possible. */
  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    const texts: (string | undefined)[] = [];
    for (let from = 0; from < keys.length; from += KEYS_PER_BULK_GET) {
      texts.push(...(await this.#getBulk(keys.slice(from, from + KEYS_PER_BULK_GET))));
    }
    return texts;
  }

  /** @throws EspalierError `ERR_CACHE_VALUE_TOO_LARGE` for more than 25 MiB, before asking KV */
  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    if (isTooLarge(text)) {
      throw new EspalierError(
        "ERR_CACHE_VALUE_TOO_LARGE",
        `The value of cache key "${key}" is larger than the ${LIMIT_BYTES} bytes (25 MiB) ` +
          "that Workers KV takes. Cache less, or keep it in R2 and cache where it is.",
      );
    }
    const seconds =
      ttlMs === undefined ? MAX_TTL_SECONDS : Math.ceil(ttlMs / 1000) + MARGIN_SECONDS;
    const options = seconds < MAX_TTL_SECONDS ? { expirationTtl: seconds } : {};
    await explain("write", key, this.#namespace.put(this.#prefix + key, text, options));
  }

  async delete(key: string): Promise<void> {
    await explain("delete", key, this.#namespace.delete(this.#prefix + key));
  }

  /** Deletes key by key: what a request may do on Workers (1000 operations) bounds it. */
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
      // All values together may be too large for one answer while each alone is not.
      found = null;
    }
    // A namespace without bulk reads takes the list for one strange key, and has no value for it.
    if (!(found instanceof Map)) return await Promise.all(keys.map((key) => this.get(key)));
    return names.map((name) => found.get(name) ?? undefined);
  }
}

/** Counts bytes only where characters do not settle it: a character is one to three bytes. */
function isTooLarge(text: string): boolean {
  if (text.length * 3 <= LIMIT_BYTES) return false;
  return text.length > LIMIT_BYTES || new TextEncoder().encode(text).byteLength > LIMIT_BYTES;
}

/** Runs an operation of KV; an error names the action and the key. */
async function explain<T>(action: string, key: string, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const failure = `Workers KV could not ${action} "${key}": ${reason}.`;
    // The limit is one key's: KV itself is well, and other keys can be read and written.
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
