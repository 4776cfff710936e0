/** The subset of the KV binding's interface that this application uses. */
export interface LinkNamespace {
  get(key: string, type: "text"): Promise<string | null>;
  put(key: string, value: string, options?: LinkPutOptions): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<LinkPage>;
}

export interface LinkPutOptions {
  /** Seconds, at least 60, until the key expires. */
  readonly expirationTtl?: number;
  /** Returned by `list`, which does not read values. */
  readonly metadata?: object;
}

/** One page of keys, sorted. */
export interface LinkPage {
  readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[];
  readonly list_complete: boolean;
  /** Cursor of the next page; present unless the list is complete. */
  readonly cursor?: string;
}
