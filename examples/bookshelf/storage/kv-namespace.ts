/** What this application uses of a KV binding; the platform's own type has all of it. */
export interface KvNamespace {
  get(key: string, type: "text"): Promise<string | null>;
  /** Up to 100 keys at once. */
  get(keys: string[], type: "text"): Promise<Map<string, string | null>>;
  getWithMetadata(
    key: string,
    type: "arrayBuffer",
  ): Promise<{ value: ArrayBuffer | null; metadata: unknown }>;
  put(key: string, value: string | ArrayBuffer, options?: { metadata?: object }): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; limit: number; cursor?: string }): Promise<KvPage>;
}

/** One page of keys, in their order. */
export interface KvPage {
  readonly keys: readonly { readonly name: string }[];
  readonly list_complete: boolean;
  /** Where the next page begins; there unless the list is complete. */
  readonly cursor?: string;
}
