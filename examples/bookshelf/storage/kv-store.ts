import type { DocumentStore, FileStore, StoredFile } from "./document-store.ts";
import type { KvNamespace } from "./kv-namespace.ts";

/** The cache and the queue may live in the same namespace, so our keys begin with this. */
const keyPrefix = "bookshelf/";

/** Keys that are longer cannot be. */
const maxKeyBytes = 512;

/** As many values as one call can read. */
const pageSize = 100;

/** Documents in a KV namespace. Changes may take a minute to be seen everywhere in the world. */
export class KvDocumentStore implements DocumentStore {
  readonly #kv: KvNamespace;

  constructor(kv: KvNamespace) {
    this.#kv = kv;
  }

  async get<Document>(key: string): Promise<Document | undefined> {
    // KV fails for a longer key. Under one of those there is nothing, whoever put it into a path.
    if (new TextEncoder().encode(keyPrefix + key).length > maxKeyBytes) return undefined;
    const text = await this.#kv.get(keyPrefix + key, "text");
    return text === null ? undefined : JSON.parse(text);
  }

  async put(key: string, document: object): Promise<void> {
    await this.#kv.put(keyPrefix + key, JSON.stringify(document));
  }

  async create(key: string, document: object): Promise<boolean> {
    // Somebody may write between these two lines: see the interface for what that means.
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

/** Files in a KV namespace, with their type beside them as metadata. */
export class KvFileStore implements FileStore {
  readonly #kv: KvNamespace;

  constructor(kv: KvNamespace) {
    this.#kv = kv;
  }

  async get(key: string): Promise<StoredFile | undefined> {
    const { value, metadata } = await this.#kv.getWithMetadata(keyPrefix + key, "arrayBuffer");
    if (value === null) return undefined;
    // Only `put` below writes these keys, always with this metadata.
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
