/** The subset of the KV binding's interface that this application uses. */
export interface KvNamespace {
  get(key: string, type: "text"): Promise<string | null>;
  /** Reads up to 100 keys at once. */
  get(keys: string[], type: "text"): Promise<Map<string, string | null>>;
  getWithMetadata(
    key: string,
    type: "arrayBuffer",
  ): Promise<{ value: ArrayBuffer | null; metadata: unknown }>;
  put(key: string, value: string | ArrayBuffer, options?: { metadata?: object }): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; limit: number; cursor?: string }): Promise<KvPage>;
}

/** One page of keys, sorted. */
export interface KvPage {
  readonly keys: readonly { readonly name: string }[];
  readonly list_complete: boolean;
  /** Cursor of the next page; present unless the list is complete. */
  readonly cursor?: string;
}
