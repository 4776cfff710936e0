/** JSON documents by key; a key is a path such as `books/9799410000014`. */
export interface DocumentStore {
  /** The document under a key, or undefined when there is none. */
  get<Document>(key: string): Promise<Document | undefined>;

  put(key: string, document: object): Promise<void>;

  /**
   * Stores a document unless there is one under that key already; says whether it did.
   *
   * Of two calls at once, exactly one gets `true` in memory. On KV both may: KV has no
   * compare-and-set, and a value just written elsewhere may not be visible here for a minute.
   */
  create(key: string, document: object): Promise<boolean>;

  delete(key: string): Promise<void>;

  /** Every document whose key begins with `prefix`, in the order of the keys. */
  list<Document>(prefix: string): AsyncIterable<Document>;
}

/** Bytes with their content type. */
export interface StoredFile {
  readonly bytes: ArrayBuffer;
  readonly type: string;
  /** Changes when the bytes do. */
  readonly etag: string;
}

/** Files by key. */
export interface FileStore {
  /** The file under a key, or undefined when there is none. */
  get(key: string): Promise<StoredFile | undefined>;
  put(key: string, file: StoredFile): Promise<void>;
  delete(key: string): Promise<void>;
}
