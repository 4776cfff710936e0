import type { DocumentStore, FileStore } from "./document-store.ts";
import type { KvNamespace } from "./kv-namespace.ts";
import { KvDocumentStore, KvFileStore } from "./kv-store.ts";
import { MemoryDocumentStore, MemoryFileStore } from "./memory-store.ts";

/** Where everything is kept. */
export interface Storage {
  /** What the records are in, for people to read. */
  readonly name: "memory" | "KV";
  readonly documents: DocumentStore;
  readonly files: FileStore;
}

/** A storage that is gone with the process. */
export function memoryStorage(): Storage {
  return { name: "memory", documents: new MemoryDocumentStore(), files: new MemoryFileStore() };
}

/** A storage in the platform's KV. */
export function kvStorage(kv: KvNamespace): Storage {
  return { name: "KV", documents: new KvDocumentStore(kv), files: new KvFileStore(kv) };
}
