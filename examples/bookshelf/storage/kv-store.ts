import type { DocumentStore, FileStore, StoredFile } from "./document-store.ts";
import type { KvNamespace } from "./kv-namespace.ts";

/** Key prefix: the cache and the queue may share the namespace. */
const keyPrefix = "bookshelf/";

/** Maximum key length in KV. */
const maxKeyBytes = 512;

/** Maximum number of values that one call can read. */
const pageSize = 100;

/** Document store in a KV namespace. Changes can take a minute to become visible everywhere. */
export class KvDocumentStore implements DocumentStore {
  readonly #kv: KvNamespace;

  constructor(kv: KvNamespace) {
    this.#kv = kv;
  }

  async get<Document>(key: string): Promise<Document | undefined> {
    // KV throws for longer keys; none exist, so a request with such an id is "not found".
    if (new TextEncoder().encode(keyPrefix + key).length > maxKeyBytes) return undefined;
    const text = await this.#kv.get(keyPrefix + key, "text");
    return text === null ? undefined : JSON.parse(text);
  }

  async put(key: string, document: object): Promise<void> {
    await this.#kv.put(keyPrefix + key, JSON.stringify(document));
  }

  async create(key: string, document: object): Promise<boolean> {
    // Not atomic: another write can occur between these lines (see the interface).
    if ((await this.get(key)) !== undefined) return false;
    await this.put(key, document);
    return true;
  }

  async delete(key: string): Promise<void> {
    await this.#kv.delete(keyPrefix + key);
  }

  async *list<Document>(prefix: string): AsyncIterable<Document> {
    let cursor: string | undefined;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await this.#kv.list({ prefix: keyPrefix + prefix, limit: pageSize, ...from });
      const names = page.keys.map(({ name }) => name);
      const texts =
        names.length === 0 ? new Map<string, string | null>() : await this.#kv.get(names, "text");
      for (const text of texts.values()) if (text !== null) yield JSON.parse(text);
      cursor = page.list_complete ? undefined : page.cursor;
    } while (cursor !== undefined);
  }
}

/** File store in a KV namespace, with the content type as metadata. */
export class KvFileStore implements FileStore {
  readonly #kv: KvNamespace;

  constructor(kv: KvNamespace) {
    this.#kv = kv;
  }

  async get(key: string): Promise<StoredFile | undefined> {
    const { value, metadata } = await this.#kv.getWithMetadata(keyPrefix + key, "arrayBuffer");
    if (value === null) return undefined;
    // Safe cast: only `put` below writes these keys, always with this metadata.
    const { type, etag } = metadata as Pick<StoredFile, "type" | "etag">;
    return { bytes: value, type, etag };
  }

  async put(key: string, { bytes, type, etag }: StoredFile): Promise<void> {
    await this.#kv.put(keyPrefix + key, bytes, { metadata: { type, etag } });
  }

  async delete(key: string): Promise<void> {
    await this.#kv.delete(keyPrefix + key);
  }
}
