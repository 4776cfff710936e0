import { carriageReturn, hyphen, isBlank, lineFeed } from "./ascii.ts";
import { formTooLarge, malformedForm } from "./failures.ts";

export interface HeadLimits {
  readonly maxHeaderLines: number;
  readonly maxHeaderBytes: number;
}

/**
 * Finds the end of the header of a part: an empty line. The bytes may arrive in pieces; each is looked at once.
 */
export class HeadScan {
  readonly #delimiter: Uint8Array;
  readonly #limits: HeadLimits;
  #isFolded = false;
  #lineCount = 0;
  /** Offsets from the first byte of the header: of the next byte, and of the current line. */
  #scanned = 0;
  #lineStart = 0;

  /** @param delimiter CRLF, two hyphens and the boundary */
  constructor(delimiter: Uint8Array, limits: HeadLimits) {
    this.#delimiter = delimiter;
    this.#limits = limits;
  }

  /** True if a line of the header continues the one before. */
  get isFolded(): boolean {
    return this.#isFolded;
  }

  /** Prepares for the next header. */
  reset(): void {
    this.#isFolded = false;
    this.#lineCount = 0;
    this.#scanned = 0;
    this.#lineStart = 0;
  }

  /**
   * Returns the index after the empty line, or -1 when it has not arrived: the next call gets the same bytes, and more.
   *
   * @param from index of the first byte of the header
   * @throws {HttpError} 400 when a line is malformed, 413 when there are too many lines or bytes
   */
  findEnd(bytes: Uint8Array, from: number): number {
    const end = Math.min(bytes.length, from + this.#limits.maxHeaderBytes);
    let lineStart = from + this.#lineStart;
    for (let at = from + this.#scanned; at < end; at += 1) {
      if (bytes[at] !== lineFeed) continue;
      if (at === lineStart || bytes[at - 1] !== carriageReturn) {
        throw malformedForm("the lines around its contents must end with CRLF");
      }
      if (at === lineStart + 1) return at + 1;
      this.#checkLine(bytes, lineStart);
      lineStart = at + 1;
    }
    if (end < bytes.length) {
      throw formTooLarge("The header of a part", this.#limits.maxHeaderBytes, "bytes");
    }
    this.#scanned = end - from;
    this.#lineStart = lineStart - from;
    return -1;
  }

  #checkLine(bytes: Uint8Array, start: number): void {
    this.#lineCount += 1;
    if (this.#lineCount > this.#limits.maxHeaderLines) {
      throw formTooLarge("The header of a part", this.#limits.maxHeaderLines, "lines");
    }
    const first = bytes[start];
    if (isBlank(first)) this.#isFolded = true;
    // A reader that splits at delimiters first would see two parts.
    if (first === hyphen && this.#isDelimiter(bytes, start)) {
      throw malformedForm("the header of a part has no end");
    }
  }

  #isDelimiter(bytes: Uint8Array, start: number): boolean {
    const delimiter = this.#delimiter;
    for (let index = 2; index < delimiter.length; index += 1) {
      if (bytes[start + index - 2] !== delimiter[index]) return false;
    }
    return true;
  }
}
