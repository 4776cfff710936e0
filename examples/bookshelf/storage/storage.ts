import type { DocumentStore, FileStore } from "./document-store.ts";
import type { KvNamespace } from "./kv-namespace.ts";
import { KvDocumentStore, KvFileStore } from "./kv-store.ts";
import { MemoryDocumentStore, MemoryFileStore } from "./memory-store.ts";

/** The stores of documents and files. */
export interface Storage {
  /** Display name of the storage. */
  readonly name: "memory" | "KV";
  readonly documents: DocumentStore;
  readonly files: FileStore;
}

/** Creates a storage in memory, not persistent. */
export function memoryStorage(): Storage {
  return { name: "memory", documents: new MemoryDocumentStore(), files: new MemoryFileStore() };
}

/** Creates a storage in the platform's KV. */
export function kvStorage(kv: KvNamespace): Storage {
  return { name: "KV", documents: new KvDocumentStore(kv), files: new KvFileStore(kv) };
}
