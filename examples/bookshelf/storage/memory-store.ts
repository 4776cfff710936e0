import type { DocumentStore, FileStore, StoredFile } from "./document-store.ts";

/** Document store in memory, not persistent: for development and tests. */
export class MemoryDocumentStore implements DocumentStore {
  // Serialised, so that mutating an object passed in or returned does not change the stored document.
  readonly #texts = new Map<string, string>();

  async get<Document>(key: string): Promise<Document | undefined> {
    const text = this.#texts.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async put(key: string, document: object): Promise<void> {
    this.#texts.set(key, JSON.stringify(document));
  }

  async create(key: string, document: object): Promise<boolean> {
    // Atomic: nothing is awaited between the check and the write.
    if (this.#texts.has(key)) return false;
    this.#texts.set(key, JSON.stringify(document));
    return true;
  }

  async delete(key: string): Promise<void> {
    this.#texts.delete(key);
  }

  async *list<Document>(prefix: string): AsyncIterable<Document> {
    const keys = [...this.#texts.keys()].filter((key) => key.startsWith(prefix)).sort();
    for (const key of keys) {
      const document = await this.get<Document>(key);
      // May have been deleted since the keys were collected.
      if (document !== undefined) yield document;
    }
  }
}

/** File store in memory, not persistent. */
export class MemoryFileStore implements FileStore {
  readonly #files = new Map<string, StoredFile>();

  async get(key: string): Promise<StoredFile | undefined> {
    return this.#files.get(key);
  }

  async put(key: string, file: StoredFile): Promise<void> {
    this.#files.set(key, file);
  }

  async delete(key: string): Promise<void> {
    this.#files.delete(key);
  }
}
