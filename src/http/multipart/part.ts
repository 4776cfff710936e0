import { EspalierError } from "../../errors.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import type { FormText } from "./form-text.ts";
import { type HeaderLines, readHeaders } from "./header-lines.ts";
import { createFile } from "./part-content.ts";
import type { PartHead } from "./part-headers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the next piece of a content; undefined after the last. */
export type ReadPiece = () => Promise<Bytes | undefined>;

/**
 * One part of a multipart form: a text field or a file, read while it arrives.
 *
 * The content can be read once, with one of `text`, `bytes`, `file` and `body`, and before the next part is requested:
 * what has not been read by then is skipped.
 */
export class Part {
  /** Name of the form field. */
  readonly name: string;
  /** Filename as the client sent it; undefined for a text field. */
  readonly filename: string | undefined;
  /**
   * Media type as a `File` has it: in lower case, and empty when it has other characters than printable ASCII. It is
   * `text/plain` when the part has none (RFC 7578, section 4.4).
   */
  readonly type: string;
  readonly #contentType: string;
  readonly #lines: HeaderLines;
  #headers: ReadonlyMap<string, string> | undefined;
  readonly #read: ReadPiece;
  readonly #formText: FormText;
  #stream: ReadableStream<Bytes> | undefined;
  #isTaken = false;
  #isSkipped = false;
  /** The read under way: a whole content, or one piece of a stream. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(head: PartHead, read: ReadPiece, formText: FormText) {
    this.name = head.name;
    this.filename = head.filename;
    this.type = head.type;
    this.#contentType = head.contentType;
    // A copy: the chunk that has them ends before the part does.
    const { bytes, start, end } = head.lines;
    this.#lines = { bytes: bytes.slice(start, end), start: 0, end: end - start };
    this.#read = read;
    this.#formText = formText;
  }

  /**
   * All headers as sent, by lower-case name; of a repeated one the values, joined with a comma.
   *
   * @throws {HttpError} 400 when the form has more than 64 KiB of invalid UTF-8
   */
  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= readHeaders(this.#lines, this.#formText);
    return this.#headers;
  }

  /**
   * The content as a stream, which reads no further than its consumer. It fails when the form is malformed or exceeds a
   * limit, and when the next part is requested before its end.
   *
   * @throws {EspalierError} `ERR_HTTP_PART_CONSUMED` when the content was read or skipped
   */
  get body(): ReadableStream<Bytes> {
    this.#stream ??= this.#createStream();
    return this.#stream;
  }

  /**
   * Reads the content as text, in the charset of its type, by default UTF-8. Invalid bytes become U+FFFD; a form may
   * have 64 KiB of text with invalid UTF-8.
   *
   * @throws {EspalierError} `ERR_HTTP_PART_CONSUMED` when the content was read or skipped
   * @throws {HttpError} 400 when the form is malformed or breaks off, 413 over a limit, 415 for an unknown charset
   */
  text(): Promise<string> {
    return this.#collect((bytes) =>
      (this.#formText.findDecoder(this.#contentType) ?? this.#formText).decode(bytes),
    );
  }

  /** Reads the content as bytes. It fails as `text` does, charsets aside. */
  bytes(): Promise<Bytes> {
    return this.#collect((bytes) => bytes.slice());
  }

  /**
   * Reads the content as a `File` with the filename as sent, which must not be used as a path unchecked; that of a
   * text field is empty. It fails as `bytes` does.
   */
  file(): Promise<File> {
    return this.#collect((bytes) => createFile([bytes], this.filename ?? "", this.type));
  }

  /**
   * Ends the reading of this part, so that the next one can be read. Waits for a `text`, `bytes` or `file` under way;
   * a stream that has not ended fails.
   */
  async close(): Promise<void> {
    this.#isSkipped = true;
    // Two reads at a time would get pieces out of order. A failure is reported to its reader, and by the next read.
    await this.#reading.catch(() => {});
  }

  #collect<Content>(convert: (bytes: Bytes) => Content): Promise<Content> {
    if (this.#isTaken || this.#isSkipped) return Promise.reject(this.#consumed());
    this.#isTaken = true;
    const content = this.#readAll().then(convert);
    this.#reading = content;
    // The iteration reports the same failure: a caller that does not await the content yet must not end the process.
    content.catch(() => {});
    return content;
  }

  async #readAll(): Promise<Bytes> {
    const buffer = new ByteBuffer();
    for (let piece = await this.#read(); piece !== undefined; piece = await this.#read()) {
      buffer.append(piece);
    }
    return buffer.view();
  }

  #createStream(): ReadableStream<Bytes> {
    if (this.#isTaken || this.#isSkipped) throw this.#consumed();
    this.#isTaken = true;
    const pull = async (controller: ReadableStreamDefaultController<Bytes>): Promise<void> => {
      if (this.#isSkipped) throw this.#consumed();
      const reading = this.#read();
      this.#reading = reading;
      const piece = await reading;
      if (piece === undefined) controller.close();
      // A copy: the consumer may transfer it, while the rest of the chunk is still to be parsed.
      else controller.enqueue(piece.slice());
    };
    // The mark of 0 keeps the stream from reading ahead.
    return new ReadableStream<Bytes>({ pull }, { highWaterMark: 0 });
  }

  #consumed(): EspalierError {
    return new EspalierError(
      "ERR_HTTP_PART_CONSUMED",
      `The content of the part ${JSON.stringify(this.name)} was already read or skipped. Read it once, before the next part is requested.`,
    );
  }
}
