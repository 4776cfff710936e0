/** A stored file. */
export interface StoredFile {
  readonly bytes: Blob;
  readonly type: string;
}

/** File store in memory; R2, KV or a disk would have the same interface. */
export class MemoryFiles {
  readonly #files = new Map<string, StoredFile>();

  /** Stores a file once it is complete; stores nothing if the stream fails. */
  async put(name: string, body: ReadableStream<Uint8Array>, type: string): Promise<number> {
    const bytes = await new Response(body).blob();
    this.#files.set(name, { bytes, type });
    return bytes.size;
  }

  find(name: string): StoredFile | undefined {
    return this.#files.get(name);
  }
}
