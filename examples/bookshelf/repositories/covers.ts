import type { FileStore, StoredFile } from "../storage/document-store.ts";

/** Repository of cover images, one per book. */
export class Covers {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Returns the cover of a book, or undefined. */
  find(bookId: string): Promise<StoredFile | undefined> {
    return this.#files.get(`covers/${bookId}`);
  }

  /** Stores the cover of a book, replacing the previous one. */
  async save(bookId: string, picture: Blob): Promise<StoredFile> {
    const bytes = await picture.arrayBuffer();
    const cover: StoredFile = { bytes, type: picture.type, etag: await digestOf(bytes) };
    await this.#files.put(`covers/${bookId}`, cover);
    return cover;
  }

  remove(bookId: string): Promise<void> {
    return this.#files.delete(`covers/${bookId}`);
  }
}

async function digestOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const digits = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0"));
  return `"${digits.join("")}"`;
}
