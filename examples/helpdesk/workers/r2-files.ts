import type { ByteRange } from "espalier";
import type { FileStore } from "../files/file-store.ts";

/** The methods of an R2 bucket that are used here. */
export interface Bucket {
  put(key: string, body: ReadableStream<Uint8Array>): Promise<unknown>;
  get(
    key: string,
    options?: { readonly range: ByteRange },
  ): Promise<{ readonly body: ReadableStream<Uint8Array<ArrayBuffer>> } | null>;
  delete(key: string): Promise<void>;
}

/** Files in an R2 bucket. */
export class R2Files implements FileStore {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Streams the body of a request, whose length R2 knows. */
  async put(id: string, body: ReadableStream<Uint8Array>): Promise<void> {
    await this.#bucket.put(id, body);
  }

  async read(id: string, range?: ByteRange): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const found = await this.#bucket.get(id, range && { range });
    if (found === null) throw new Error(`The file ${id} was deleted while it was read.`);
    return found.body;
  }

  async remove(id: string): Promise<void> {
    await this.#bucket.delete(id);
  }
}
