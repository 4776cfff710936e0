import type { ByteRange } from "espalier";

/** Stores the content of attachments under generated ids. A file never changes. */
export interface FileStore {
  /** Stores a body of `bytes` bytes, or nothing if it fails. */
  put(id: string, body: ReadableStream<Uint8Array>, bytes: number): Promise<void>;
  /** Returns the content of a file, or of a part of it. */
  read(id: string, range?: ByteRange): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Removes a file if it exists. */
  remove(id: string): Promise<void>;
}
