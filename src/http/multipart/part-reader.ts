import { bodyBrokenOff } from "../read-bytes.ts";
import type { PartHead } from "./part-headers.ts";
import type { MultipartToken, MultipartTokenizer } from "./tokenizer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The part of a stream's reader in use. */
interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Bytes | undefined }>;
  cancel(): Promise<void>;
}

function createChunkReader(source: ReadableStream<Bytes> | Bytes): ChunkReader {
  if (!ArrayBuffer.isView(source)) return source.getReader();
  let isRead = false;
  return {
    async read() {
      if (isRead) return { done: true };
      isRead = true;
      return { done: false, value: source };
    },
    async cancel() {},
  };
}

/** Reads the tokens of a form from its source, one at a time. */
export class PartReader {
  readonly #source: ChunkReader;
  readonly #tokenizer: MultipartTokenizer;
  /** The head that ended the content before it. */
  #nextHead: PartHead | undefined;
  #isDone = false;
  #isCancelled = false;
  #failure: unknown;

  constructor(source: ReadableStream<Bytes> | Bytes, tokenizer: MultipartTokenizer) {
    this.#source = createChunkReader(source);
    this.#tokenizer = tokenizer;
  }

  /** Skips to the next part and returns its head; undefined after the last part. */
  async readHead(): Promise<PartHead | undefined> {
    while ((await this.readPiece()) !== undefined);
    const head = this.#nextHead;
    this.#nextHead = undefined;
    return head;
  }

  /** Returns the next piece of the current part's content; undefined at its end. */
  async readPiece(): Promise<Bytes | undefined> {
    if (this.#nextHead !== undefined || this.#isDone) return undefined;
    const token = await this.#readToken();
    if (token === undefined) this.#isDone = true;
    else if (ArrayBuffer.isView(token)) return token;
    else this.#nextHead = token;
    return undefined;
  }

  /** Cancels the source; a read under way fails. */
  cancel(): void {
    this.#isCancelled = true;
    // Not awaited: a source that never settles must not hold up its consumer.
    this.#source.cancel().catch(() => {});
  }

  async #readToken(): Promise<MultipartToken | undefined> {
    // Every later read fails as the first did: the tokenizer cannot continue.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      for (;;) {
        const token = this.#tokenizer.next();
        if (token !== undefined) return token;
        const chunk = await this.#readChunk();
        if (chunk === undefined) break;
        this.#tokenizer.write(chunk);
      }
      this.#tokenizer.end();
      return undefined;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async #readChunk(): Promise<Bytes | undefined> {
    try {
      const { done, value } = await this.#source.read();
      // A cancelled stream looks like one that has ended.
      if (this.#isCancelled) throw new Error("The iteration over the parts has ended.");
      if (done) return undefined;
      // A Request made by hand can have a stream of anything; counting needs bytes.
      if (!ArrayBuffer.isView(value)) throw new TypeError("A chunk of the body is not bytes.");
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    } catch (cause) {
      throw bodyBrokenOff(cause);
    }
  }
}
