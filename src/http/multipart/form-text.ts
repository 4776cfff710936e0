import { HttpError } from "../http-error.ts";
import { parseMediaType } from "../media-type.ts";
import { decodeShortUtf8, maxShortLength } from "../short-utf8.ts";
import { malformedForm } from "./failures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of text with invalid UTF-8 that one form may have. */
const maxInvalidBytes = 65_536;

/**
 * Length up to which text is decoded before its validity is known: the exception of a strict decoder takes as much time
 * as the decoding of a thousand invalid bytes.
 */
const maxUncheckedLength = 1024;

const strictDecoder: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", {
  fatal: true,
  ignoreBOM: true,
});
const lenientDecoder: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();

/** Decodes the text of one form: headers, and fields in the charsets of their parts. */
export class FormText {
  #invalidBytes = 0;
  /** Decoders by the charset as sent: creating one takes more time than decoding a field. */
  readonly #decoders = new Map<string, TextDecoder | undefined>();

  /**
   * Decodes UTF-8. Invalid bytes are replaced with U+FFFD, and byte order marks are kept. Platforms decode invalid text 8
   * to 47 times slower, so a form may have only 64 KiB of it.
   *
   * @throws {HttpError} 400 when the form has too much invalid UTF-8
   */
  decode(bytes: Bytes, start = 0, end: number = bytes.length): string {
    if (end - start <= maxShortLength) {
      return this.#checked(decodeShortUtf8(bytes, start, end), end - start);
    }
    const encoded = end - start === bytes.length ? bytes : bytes.subarray(start, end);
    return encoded.length > maxUncheckedLength
      ? this.#decodeChecked(encoded)
      : this.#checked(lenientDecoder.decode(encoded), encoded.length);
  }

  /**
   * Returns the decoder of a part's content; undefined for UTF-8, the default (RFC 7578, section 4.5), which `decode`
   * decodes.
   *
   * @param contentType as sent; empty when the part has none
   * @throws {HttpError} 415 for an unknown charset
   */
  findDecoder(contentType: string): InstanceType<typeof TextDecoder> | undefined {
    if (contentType === "") return undefined;
    const charset = parseMediaType(contentType)?.parameters.get("charset")?.toLowerCase();
    if (charset === undefined || charset === "utf-8") return undefined;
    if (!this.#decoders.has(charset)) this.#decoders.set(charset, createDecoder(charset));
    return this.#decoders.get(charset);
  }

  /** Returns decoded text after counting it if bytes of it were replaced. */
  #checked(text: string, length: number): string {
    // A client can send U+FFFD itself. Replaced bytes seldom have its length.
    if (text.includes("\ufffd") && encoder.encode(text).length !== length) {
      this.#countInvalid(length);
    }
    return text;
  }

  #decodeChecked(bytes: Bytes): string {
    try {
      return strictDecoder.decode(bytes);
    } catch {
      this.#countInvalid(bytes.length);
    }
    return lenientDecoder.decode(bytes);
  }

  #countInvalid(length: number): void {
    this.#invalidBytes += length;
    if (this.#invalidBytes > maxInvalidBytes) throw malformedForm("its text is not UTF-8");
  }
}

function createDecoder(charset: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(charset, { ignoreBOM: true });
    // UTF-8 has other labels, such as "utf8".
    return decoder.encoding === "utf-8" ? undefined : decoder;
  } catch (cause) {
    throw new HttpError(415, "The charset of a part is not supported.", { cause });
  }
}
