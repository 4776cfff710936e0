import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ByteRange } from "espalier";
import type { FileStore } from "../files/file-store.ts";

/** Files in a folder, which all processes share. */
export class DiskFiles implements FileStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes under a temporary name and renames, so that no request reads a partial file. */
  async put(id: string, body: ReadableStream<Uint8Array>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, id);
    const unfinished = `${path}.part`;
    try {
      const source = Readable.fromWeb(body as never);
      await pipeline(source, createWriteStream(unfinished, { flags: "wx" }));
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async read(id: string, range?: ByteRange): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const part = range && { start: range.offset, end: range.offset + range.length - 1 };
    return Readable.toWeb(createReadStream(join(this.#folder, id), part)) as never;
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.#folder, id), { force: true });
  }
}
