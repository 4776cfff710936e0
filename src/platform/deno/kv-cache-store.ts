import type { CacheStore } from "../../cache/cache-store.ts";
import { EspalierError } from "../../errors.ts";
import type { DenoKv, DenoKvEntry } from "./kv-cache-types.ts";

/** Values are limited to 64 KiB, and one character outside Latin-1 makes every character two bytes. */
const partCharacters = 30_000;
/** An atomic operation is limited to 800 KiB: thirteen parts of two-byte characters fit. */
const maxParts = 13;
const deletesAtOnce = 100;
/** Deno KV expects whole milliseconds; beyond about thirty years, the entry does not expire. */
const maxTtlMs = 1_000_000_000_000;

/** A part of an entry's text, and the number of parts. */
interface Part {
  readonly count: number;
  readonly text: string;
}

/** Options of {@link DenoKvCacheStore}. */
export interface DenoKvCacheStoreOptions {
  /** First part of all keys, so that the database can hold other data; default `cache`. */
  prefix?: string;
}

/**
 * Cache store on Deno KV.
 *
 * An entry of up to 390,000 characters is stored in parts, in one atomic operation, under
 * `[prefix, key, part]`: a reader sees all parts of one write, or none.
 *
 * ```ts
 * app.useCacheStore(new DenoKvCacheStore(() => Deno.openKv()));
 * ```
 */
export class DenoKvCacheStore implements CacheStore {
  readonly #open: () => DenoKv | Promise<DenoKv>;
  readonly #prefix: string;
  #opened: Promise<DenoKv> | undefined;

  /** @param source a database, or a function that opens it on first use */
  constructor(
    source: DenoKv | (() => DenoKv | Promise<DenoKv>),
    options: DenoKvCacheStoreOptions = {},
  ) {
    this.#open = typeof source === "function" ? source : () => source;
    this.#prefix = options.prefix ?? "cache";
  }

  async get(key: string): Promise<string | undefined> {
    const kv = await this.#kv();
    const first = await kv.get([this.#prefix, key, 0]);
    if (!isPart(first.value)) return undefined;
    return first.value.count === 1 ? first.value.text : await this.#getParts(kv, key);
  }

  /** @throws EspalierError `ERR_CACHE_VALUE_TOO_LARGE` for more than 390,000 characters */
  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    const count = Math.max(1, Math.ceil(text.length / partCharacters));
    if (count > maxParts) {
      throw new EspalierError(
        "ERR_CACHE_VALUE_TOO_LARGE",
        `The value of cache key "${key}" has ${text.length} characters; the Deno KV store takes ` +
          `${maxParts * partCharacters}. Cache less, or use another store for large values.`,
      );
    }
    const kv = await this.#kv();
    const operation = kv.atomic();
    const forGood = ttlMs === undefined || ttlMs > maxTtlMs;
    const options = forGood ? {} : { expireIn: Math.ceil(ttlMs) };
    for (let index = 0; index < count; index++) {
      const from = index * partCharacters;
      const part: Part = { count, text: text.slice(from, from + partCharacters) };
      operation.set([this.#prefix, key, index], part, options);
    }
    // Parts of an earlier, longer entry may remain: they are ignored, and deleted with the key.
    await operation.commit();
  }

  async delete(key: string): Promise<void> {
    await this.#deleteAll([this.#prefix, key]);
  }

  async clear(): Promise<void> {
    await this.#deleteAll([this.#prefix]);
  }

  async clearPrefix(prefix: string): Promise<void> {
    await this.#deleteAll([this.#prefix], prefix);
  }

  /** Opens the database once; the next call retries a failed open. */
  async #kv(): Promise<DenoKv> {
    this.#opened ??= Promise.resolve(this.#open());
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #getParts(kv: DenoKv, key: string): Promise<string | undefined> {
    const parts: DenoKvEntry[] = [];
    // One batch holds all parts, and a batch is a consistent snapshot.
    for await (const entry of kv.list({ prefix: [this.#prefix, key] }, { batchSize: 100 })) {
      // A different versionstamp marks a leftover of an earlier, longer entry.
      if (entry.versionstamp !== (parts[0] ?? entry).versionstamp) break;
      parts.push(entry);
    }
    const values = parts.map((entry) => entry.value).filter(isPart);
    // Some parts may have expired already.
    if (values.length === 0 || values.length !== values[0]?.count) return undefined;
    return values.map((part) => part.text).join("");
  }

  /** Deletes all entries under `root`; with `start`, only those whose key starts with it. */
  async #deleteAll(root: readonly string[], start = ""): Promise<void> {
    const kv = await this.#kv();
    let operation = kv.atomic();
    let pending = 0;
    for await (const entry of kv.list({ prefix: root })) {
      const [prefix, key, part] = entry.key;
      if (typeof prefix !== "string" || typeof key !== "string" || typeof part !== "number")
        continue;
      if (!key.startsWith(start)) continue;
      operation.delete([prefix, key, part]);
      pending += 1;
      if (pending < deletesAtOnce) continue;
      await operation.commit();
      operation = kv.atomic();
      pending = 0;
    }
    if (pending > 0) await operation.commit();
  }
}

function isPart(value: unknown): value is Part {
  if (typeof value !== "object" || value === null) return false;
  return "count" in value && "text" in value && typeof value.text === "string";
}
