import { bodyTooLarge } from "../read-bytes.ts";
import { carriageReturn, lineFeed } from "./ascii.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import {
  createDelimiterSearch,
  type DelimiterSearch,
  findPartialDelimiter,
} from "./delimiter-search.ts";
import { formTooLarge, malformedForm } from "./failures.ts";
import { FormText } from "./form-text.ts";
import { HeadScan } from "./head-scan.ts";
import { type HeaderLines, unfoldLines } from "./header-lines.ts";
import { defaultMultipartLimits, type MultipartLimits } from "./limits.ts";
import { type PartHead, parsePartHead } from "./part-headers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The head of a part, or a piece of its content: a view of the chunk, never empty. */
export type MultipartToken = PartHead | Bytes;

/** `content` is also the preamble: content before the first part. */
type State = "content" | "delimiter-line" | "header" | "epilogue";

/**
 * Splits the bytes of a multipart form (RFC 2046, section 5.1.1) into heads and pieces of content. It does no reading:
 * `write` a chunk, call `next` until it returns undefined, and `end` after the last chunk.
 *
 * It holds no bytes of a content between chunks, and at most the header lines of one part.
 */
export class MultipartTokenizer {
  /** Decodes the text of this form. */
  readonly text: FormText = new FormText();
  readonly #limits: Required<MultipartLimits>;
  readonly #delimiter: Bytes;
  readonly #findDelimiter: DelimiterSearch;
  readonly #headScan: HeadScan;
  /** The beginning of a header, or of a delimiter line after the boundary, that the chunks before had. */
  readonly #lines = new ByteBuffer();

  #state: State = "content";
  #chunk: Bytes = new Uint8Array(0);
  #position = 0;
  #totalBytes = 0;
  /** Number of delimiter bytes matched so far at the end of the content. */
  #matched = 2; // a body begins a line, as after a CRLF
  /** Number of matched bytes that are not content even if the rest of the delimiter does not follow. */
  #implied = 2;
  #partCount = 0;
  #fieldCount = 0;
  #fileCount = 0;
  /** Size of the current content, or of the preamble. */
  #contentBytes = 0;
  #isFile = false;

  constructor(boundary: string, limits: MultipartLimits = {}) {
    this.#limits = { ...defaultMultipartLimits, ...limits };
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
    this.#findDelimiter = createDelimiterSearch(this.#delimiter);
    this.#headScan = new HeadScan(this.#delimiter, this.#limits);
  }

  /**
   * Takes the next chunk. The one before must have been read to its end with `next`.
   *
   * @throws {HttpError} 413 when there are more than `maxBytes`
   */
  write(chunk: Bytes): void {
    this.#totalBytes += chunk.length;
    if (this.#totalBytes > this.#limits.maxBytes) throw bodyTooLarge(this.#limits.maxBytes);
    this.#chunk = chunk;
    this.#position = 0;
  }

  /**
   * Returns the next token; undefined when the chunk has no more.
   *
   * @throws {HttpError} 400 when the form is malformed, 413 when it exceeds a limit, 415 for a charset or a transfer
   *   encoding of a part that is not supported
   */
  next(): MultipartToken | undefined {
    while (this.#position < this.#chunk.length) {
      const token = this.#readToken();
      if (token !== undefined) return token;
    }
    return undefined;
  }

  /**
   * Ends the form. Zero bytes are a request without a body, and a form without parts.
   *
   * @throws {HttpError} 400 when the closing delimiter has not been read: an upload that was cut off must not look whole
   */
  end(): void {
    if (this.#totalBytes === 0) return;
    // RFC 2046: only an epilogue needs the CRLF after the closing delimiter.
    if (this.#state === "delimiter-line") this.#endDelimiterLine();
    if (this.#state === "epilogue") return;
    const isPreamble = this.#state === "content" && this.#partCount === 0;
    throw malformedForm(`its ${isPreamble ? "first" : "closing"} delimiter is missing`);
  }

  #readToken(): MultipartToken | undefined {
    switch (this.#state) {
      case "content":
        return this.#readContent();
      case "delimiter-line":
        return this.#readDelimiterLine();
      case "header":
        return this.#readHeader();
      case "epilogue":
        this.#position = this.#chunk.length;
        return undefined;
    }
  }

  #readContent(): Bytes | undefined {
    if (this.#matched > 0) return this.#continueDelimiter();
    const chunk = this.#chunk;
    const start = this.#position;
    const found = this.#findDelimiter(chunk, start);
    if (found === -1) {
      const end = findPartialDelimiter(chunk, start, this.#delimiter);
      this.#matched = chunk.length - end;
      this.#position = chunk.length;
      return this.#contentPiece(chunk.subarray(start, end));
    }
    this.#position = found + this.#delimiter.length;
    this.#state = "delimiter-line";
    return this.#contentPiece(chunk.subarray(start, found));
  }

  /** Compares the chunk with the rest of a delimiter that has begun before it. */
  #continueDelimiter(): Bytes | undefined {
    const delimiter = this.#delimiter;
    let position = this.#position;
    let matched = this.#matched;
    while (position < this.#chunk.length && matched < delimiter.length) {
      if (this.#chunk[position] !== delimiter[matched]) {
        // Not a delimiter: what was held back is content. A copy, since the delimiter is used again. No delimiter
        // begins within it, so the search continues with the chunk.
        const held = delimiter.slice(this.#implied, this.#matched);
        this.#matched = 0;
        this.#implied = 0;
        return this.#contentPiece(held);
      }
      position += 1;
      matched += 1;
    }
    this.#position = position;
    this.#matched = matched;
    if (matched === delimiter.length) {
      this.#matched = 0;
      this.#state = "delimiter-line";
    }
    return undefined;
  }

  #contentPiece(piece: Bytes): Bytes | undefined {
    if (piece.length === 0) return undefined;
    this.#contentBytes += piece.length;
    // The preamble is ignored.
    if (this.#partCount === 0) return undefined;
    const { maxFieldBytes, maxFileBytes } = this.#limits;
    const limit = this.#isFile ? maxFileBytes : maxFieldBytes;
    if (this.#contentBytes > limit) {
      throw formTooLarge(this.#isFile ? "A file" : "A text field", limit, "bytes");
    }
    return piece;
  }

  #readDelimiterLine(): undefined {
    const chunk = this.#chunk;
    const at = this.#position;
    // Nearly all delimiters end at once.
    if (this.#lines.length === 0 && chunk[at] === carriageReturn && chunk[at + 1] === lineFeed) {
      this.#position += 2;
      this.#state = "header";
      return;
    }
    if (this.#readLine()) this.#endDelimiterLine();
  }

  #endDelimiterLine(): void {
    const rest = this.text.decode(this.#lines.view()).replace(/\r\n$/, "");
    this.#lines.clear();
    // RFC 2046: content must not have a line that begins with a delimiter. Readers disagree on what such a line is.
    if (!/^(?:--)?[ \t]*$/.test(rest)) {
      throw malformedForm("a line begins with the delimiter and continues with other text");
    }
    if (!rest.startsWith("--")) {
      this.#state = "header";
      return;
    }
    // Parts were sent, but not one at the beginning of a line: they must not be lost silently.
    if (this.#partCount === 0 && this.#contentBytes > 0) {
      throw malformedForm("it has text before its closing delimiter, and no part");
    }
    this.#state = "epilogue";
  }

  #readHeader(): PartHead | undefined {
    if (this.#lines.length > 0) return this.#continueHeader();
    const start = this.#position;
    const end = this.#headScan.findEnd(this.#chunk, start);
    if (end !== -1) return this.#beginPart({ bytes: this.#chunk, start, end: end - 2 }, end);
    this.#lines.append(this.#chunk.subarray(start));
    this.#position = this.#chunk.length;
    return undefined;
  }

  /** Continues a header that has begun in a chunk before. */
  #continueHeader(): PartHead | undefined {
    const length = this.#lines.length;
    // One byte more than the limit, so that the scan finds that there are too many.
    const room = this.#limits.maxHeaderBytes + 1 - length;
    this.#lines.append(this.#chunk.subarray(this.#position, this.#position + room));
    const bytes = this.#lines.view();
    const end = this.#headScan.findEnd(bytes, 0);
    if (end !== -1) {
      return this.#beginPart({ bytes, start: 0, end: end - 2 }, this.#position + end - length);
    }
    this.#position = this.#chunk.length;
    return undefined;
  }

  /** @param contentStart index of the chunk at which the content begins */
  #beginPart(lines: HeaderLines, contentStart: number): PartHead {
    const { maxParts, maxFields, maxFiles, maxNameLength } = this.#limits;
    this.#partCount += 1;
    if (this.#partCount > maxParts) throw formTooLarge("A multipart form", maxParts, "parts");
    const unfolded = this.#headScan.isFolded ? unfoldLines(lines) : lines;
    const head = parsePartHead(unfolded, this.text, maxNameLength);
    this.#isFile = head.filename !== undefined;
    if (this.#isFile) this.#fileCount += 1;
    else this.#fieldCount += 1;
    if (this.#fieldCount > maxFields) {
      throw formTooLarge("A multipart form", maxFields, "text fields");
    }
    if (this.#fileCount > maxFiles) throw formTooLarge("A multipart form", maxFiles, "files");
    this.#lines.clear();
    this.#headScan.reset();
    this.#position = contentStart;
    this.#contentBytes = 0;
    this.#state = "content";
    // The empty line may begin the delimiter of a part without content.
    this.#matched = 2;
    this.#implied = 2;
    return head;
  }

  /** Adds the rest of a line to the lines. Returns false while the chunks so far do not have its end. */
  #readLine(): boolean {
    const found = this.#chunk.indexOf(lineFeed, this.#position);
    const end = found === -1 ? this.#chunk.length : found + 1;
    const piece = this.#chunk.subarray(this.#position, end);
    this.#position = end;
    // Before it is copied: a client chooses how long a line is.
    if (this.#lines.length + piece.length > this.#limits.maxHeaderBytes) {
      throw formTooLarge("The header of a part", this.#limits.maxHeaderBytes, "bytes");
    }
    this.#lines.append(piece);
    if (found === -1) return false;
    if (this.#lines.view().at(-2) !== carriageReturn) {
      throw malformedForm("the lines around its contents must end with CRLF");
    }
    return true;
  }
}
