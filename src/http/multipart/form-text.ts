import { malformedForm } from "./failures.ts";

/** Cost of invalid text that one form may have, in bytes. */
const maxInvalidCost = 65_536;

/** Cost of one invalid text besides its bytes: that of the decoder's exception, in bytes of the same cost. */
const exceptionCost = 256;

const strictDecoder: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", {
  fatal: true,
  ignoreBOM: true,
});
const lenientDecoder: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes the headers and text fields of one form. Invalid UTF-8 is replaced with U+FFFD, and byte order marks are
 * kept. Platforms decode invalid text 8 to 47 times slower, so a form may have only 64 KiB of it.
 */
export class FormText {
  #invalidCost = 0;

  /** @throws {HttpError} 400 when the form has too much invalid UTF-8 */
  decode(bytes: Uint8Array<ArrayBuffer>): string {
    try {
      return strictDecoder.decode(bytes);
    } catch {
      this.#invalidCost += bytes.length + exceptionCost;
    }
    if (this.#invalidCost > maxInvalidCost) throw malformedForm("its text is not UTF-8");
    return lenientDecoder.decode(bytes);
  }
}
