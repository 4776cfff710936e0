/**
 * What Espalier uses of a Workers KV namespace, so that its published types pull in no globals.
 *
 * Every `KVNamespace` of `@cloudflare/workers-types` fits; so does any object with these methods.
 */
export interface KvNamespace {
  /** The value, or `null` when there is none: absent, expired, or not yet visible here. */
  get(key: string, type: "text"): Promise<string | null>;
  /**
   * Up to 100 keys in one operation; each asked key is in the map, with `null` when it has no
   * value.
   */
  get(keys: string[], type: "text"): Promise<Map<string, string | null>>;
  put(key: string, value: string, options?: KvPutOptions): Promise<void>;
  delete(key: string): Promise<void>;
  list(options?: KvListOptions): Promise<KvListPage>;
}

/** Options of one write. */
export interface KvPutOptions {
  /** Seconds from now until the platform forgets the key; at least 60. */
  expirationTtl?: number;
  /** Seconds since the epoch at which the platform forgets the key; at least 60 ahead. */
  expiration?: number;
  /** JSON kept beside the value and given back by `list`; at most 1024 bytes. */
  metadata?: Record<string, unknown>;
}

/** Options of one page of keys, which come in the order of their UTF-8 bytes. */
export interface KvListOptions {
  prefix?: string;
  /** At most 1000, which is also the default. */
  limit?: number;
  cursor?: string;
}

/** One page of keys. */
export interface KvListPage {
  keys: { name: string; expiration?: number; metadata?: unknown }[];
  /** `false` when more keys follow, behind `cursor`. */
  list_complete: boolean;
  cursor?: string;
}
