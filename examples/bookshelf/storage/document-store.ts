/** Store of JSON documents by key; a key is a path such as `books/9799410000014`. */
export interface DocumentStore {
  /** Returns the document, or undefined. */
  get<Document>(key: string): Promise<Document | undefined>;

  put(key: string, document: object): Promise<void>;

  /**
   * Stores a document unless the key exists; returns true if it was stored.
   *
   * Of two concurrent calls, exactly one returns `true` in memory. On KV both may: KV has no
   * compare-and-set, and writes take up to a minute to become visible in other locations.
   */
  create(key: string, document: object): Promise<boolean>;

  delete(key: string): Promise<void>;

  /** Returns the documents whose key starts with `prefix`, sorted by key. */
  list<Document>(prefix: string): AsyncIterable<Document>;
}

/** A file and its content type. */
export interface StoredFile {
  readonly bytes: ArrayBuffer;
  readonly type: string;
  /** Entity tag: changes with the content. */
  readonly etag: string;
}

/** Store of files by key. */
export interface FileStore {
  /** Returns the file, or undefined. */
  get(key: string): Promise<StoredFile | undefined>;
  put(key: string, file: StoredFile): Promise<void>;
  delete(key: string): Promise<void>;
}
