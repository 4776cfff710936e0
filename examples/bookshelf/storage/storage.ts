import type { DocumentStore, FileStore } from "./document-store.ts";
import type { KvNamespace } from "./kv-namespace.ts";
import { KvDocumentStore, KvFileStore } from "./kv-store.ts";
import { MemoryDocumentStore, MemoryFileStore } from "./memory-store.ts";

/** Where everything is kept: in memory, or in a KV namespace once one is connected. */
export class Storage {
  documents: DocumentStore = new MemoryDocumentStore();
  files: FileStore = new MemoryFileStore();
  /** Whether the first books are in: asked once, and not for every request. */
  isSeeded = false;
  #kv: KvNamespace | undefined;

  /** What the documents are in, for people to read. */
  get name(): string {
    return this.#kv === undefined ? "memory" : "KV";
  }

  /** Keeps everything in `kv` from now on; a platform without KV gives undefined. */
  connect(kv: KvNamespace | undefined): void {
    if (kv === undefined || kv === this.#kv) return;
    this.#kv = kv;
    this.isSeeded = false;
    this.documents = new KvDocumentStore(kv);
    this.files = new KvFileStore(kv);
  }
}
