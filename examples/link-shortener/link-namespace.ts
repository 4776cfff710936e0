/** What this application uses of a KV binding; the platform's own type has all of it. */
export interface LinkNamespace {
  get(key: string, type: "text"): Promise<string | null>;
  put(key: string, value: string, options?: LinkPutOptions): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<LinkPage>;
}

export interface LinkPutOptions {
  /** Seconds, at least 60, until the platform forgets the key. */
  readonly expirationTtl?: number;
  /** Given back by `list`, which reads no values. */
  readonly metadata?: object;
}

/** One page of keys, in their order. */
export interface LinkPage {
  readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[];
  readonly list_complete: boolean;
  /** Where the next page begins; there unless the list is complete. */
  readonly cursor?: string;
}
