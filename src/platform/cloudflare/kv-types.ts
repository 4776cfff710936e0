/**
 * The part of a Workers KV namespace that Espalier uses, so that its published types need no globals.
 *
 * Compatible with `KVNamespace` of `@cloudflare/workers-types` and with any object that has these methods.
 */
export interface KvNamespace {
  /** Returns the value, or `null` if the key is absent, expired, or not yet visible at this location. */
  get(key: string, type: "text"): Promise<string | null>;
  /** Reads up to 100 keys in one operation; the map has every requested key, with `null` for no value. */
  get(keys: string[], type: "text"): Promise<Map<string, string | null>>;
  put(key: string, value: string, options?: KvPutOptions): Promise<void>;
  delete(key: string): Promise<void>;
  list(options?: KvListOptions): Promise<KvListPage>;
}

/** Options of one write. */
export interface KvPutOptions {
  /** Seconds until the key expires; at least 60. */
  expirationTtl?: number;
  /** Expiry time in seconds since the epoch; at least 60 seconds ahead. */
  expiration?: number;
  /** JSON metadata stored with the value and returned by `list`; at most 1024 bytes. */
  metadata?: Record<string, unknown>;
}

/** Options of one page of keys, ordered by their UTF-8 bytes. */
export interface KvListOptions {
  prefix?: string;
  /** Maximum number of keys; default and maximum 1000. */
  limit?: number;
  cursor?: string;
}

/** One page of keys. */
export interface KvListPage {
  keys: { name: string; expiration?: number; metadata?: unknown }[];
  /** `false` when more keys follow; pass `cursor` to list them. */
  list_complete: boolean;
  cursor?: string;
}
