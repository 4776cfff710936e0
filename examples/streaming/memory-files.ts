/** A file as it is kept. */
export interface StoredFile {
  readonly bytes: Blob;
  readonly type: string;
}

/** Where uploads go: what R2, KV or a disk would be behind. */
export class MemoryFiles {
  readonly #files = new Map<string, StoredFile>();

  /** Keeps a file once all of it is there; nothing when the stream fails. */
  async put(name: string, body: ReadableStream<Uint8Array>, type: string): Promise<number> {
    const bytes = await new Response(body).blob();
    this.#files.set(name, { bytes, type });
    return bytes.size;
  }

  find(name: string): StoredFile | undefined {
    return this.#files.get(name);
  }
}
