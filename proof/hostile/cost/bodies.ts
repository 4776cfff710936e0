import type { Random } from "../../../test/support/random.ts";
import { generateForm, generateJson, generateParts, generateText } from "./generate.ts";
import { usualForm, usualPairs, usualRows } from "./usual.ts";

/**
 * Creates a body of a size. Engines cache the strings and the shapes of objects that they have seen, so that a body
 * with new names or values differs from one variant to the next, as the bodies of an attacker would.
 */
export type Make = (bytes: number, variant: number) => Uint8Array<ArrayBuffer>;

/** Bodies of one kind: a benign one, and dense ones of the same size that a client could send instead. */
export interface BodyKind {
  readonly name: string;
  readonly contentType: string;
  /** What usual clients send, with values of usual length: not one long value, which costs next to nothing. */
  readonly benign: Make;
  readonly dense: Readonly<Record<string, Make>>;
  /** Generates a body of unusual pieces. */
  readonly generate: (random: Random, bytes: number) => Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();
const fill = (unit: string, bytes: number): string =>
  unit.repeat(Math.ceil(bytes / encoder.encode(unit).length)).slice(0, bytes);
/** A text around a filling, of the given size. */
const around =
  (before: string, unit: string, after = ""): Make =>
  (bytes) =>
    encoder.encode(before + fill(unit, bytes - before.length - after.length) + after);
/** Bytes that are not text behind a text. */
const binary =
  (before: string, bytesOf: readonly number[], after = ""): Make =>
  (bytes) => {
    const body = new Uint8Array(bytes);
    for (let at = 0; at < bytes; at += 1) body[at] = bytesOf[at % bytesOf.length] ?? 0;
    body.set(encoder.encode(before));
    if (after !== "") body.set(encoder.encode(after), bytes - after.length);
    return body;
  };

const prose = "The quick brown fox jumps over the lazy dog and writes a longer sentence. ";
/** Short, so that more parts fit. */
const boundary = "--b";
const end = `\r\n${boundary}--\r\n`;
const head = (disposition: string): string =>
  `${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
/** As many parts as fit, at most 1,000. */
const parts =
  (part: (index: number) => string): Make =>
  (bytes) => {
    const all: string[] = [];
    let size = end.length;
    for (let index = 0; index < 1_000; index += 1) {
      const text = part(index);
      if (size + text.length > bytes) break;
      size += text.length;
      all.push(text);
    }
    return encoder.encode(all.join("") + end.slice(2));
  };
/** Labels of charsets whose decoders are costly to create. */
const charsets = ["gb18030", "gbk", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"];
const charsetField = (at: number, of: readonly string[]): string =>
  `${boundary}\r\nContent-Disposition: form-data; name=f\r\nContent-Type: a/b;charset=${of[at % of.length]}\r\n\r\nä\r\n`;
/** Short texts that no other variant has. */
const freshWords = (variant: number): (() => string) => {
  let next = 46_656 + variant * 20_000;
  return () => (next++).toString(36);
};
/** JSON of as many items as fit, each made of new words. */
const freshItems =
  (open: string, item: (word: () => string) => string, close: string): Make =>
  (bytes, variant) => {
    const word = freshWords(variant);
    const items: string[] = [];
    let size = open.length + close.length - 1;
    for (;;) {
      const text = item(word);
      size += text.length + 1;
      if (size > bytes) break;
      items.push(text);
    }
    return encoder.encode(open + items.join() + close);
  };
/** Members with new names, joined. */
const freshMembers = (count: number, word: () => string): string =>
  Array.from({ length: count }, () => `"${word()}":1`).join();
const field = (name: string, value: string): string => `${head(`name="${name}"`)}${value}\r\n`;

export const bodyKinds: readonly BodyKind[] = [
  {
    name: "urlencoded",
    contentType: "application/x-www-form-urlencoded",
    benign: usualPairs,
    generate: generateForm,
    dense: {
      "malformed escapes": around("a=", "%"),
      "malformed escapes after an invalid byte": around("a=%ff&b=", "%"),
      "escapes of invalid bytes": around("a=", "%ff"),
      "escapes of cut characters": around("a=", "%e2%82"),
      "valid escapes": around("a=", "%C3%A4"),
      "many pairs": around("", "a&"),
      "pairs of malformed escapes": around("", "%&"),
      "a thousand pairs of cut characters": (bytes) =>
        encoder.encode(`${"%e2%82&".repeat(999)}a=`.padEnd(bytes, "a")),
      "empty pairs": around("", "&"),
      blanks: around("a=", "+"),
      "equals signs": around("", "="),
      "new names": (bytes, variant) => {
        const word = freshWords(variant);
        return encoder.encode(Array.from({ length: 999 }, word).join("&").padEnd(bytes, "a"));
      },
      "invalid bytes": binary("a=", [0xff]),
      "letters of two bytes": around("a=", "ä"),
    },
  },
  {
    name: "multipart",
    contentType: `multipart/form-data; boundary=${boundary.slice(2)}`,
    benign: (bytes) => usualForm(bytes, boundary.slice(2)),
    generate: generateParts,
    dense: {
      "empty fields": parts((at) => field(`f${at}`, "")),
      "fields of one byte": parts((at) => field(`f${at}`, "1")),
      "names of a letter of two bytes": parts(() => field("ä", "ä")),
      "names with an invalid byte": (bytes) => {
        const form = parts(() => field("?", "?"))(bytes, 0);
        return form.map((byte) => (byte === 0x3f ? 0xff : byte));
      },
      "a hundred empty files, and fields": parts((at) =>
        at < 100 ? `${head(`name="f${at}"; filename="a"`)}\r\n` : field(`f${at}`, ""),
      ),
      "more empty files than are allowed": parts(
        (at) => `${head(`name="f${at}"; filename="a"`)}\r\n`,
      ),
      "fields in another charset": parts((at) => charsetField(at, ["gb18030"])),
      "fields in all charsets": parts((at) => charsetField(at, charsets)),
      "folded header lines": parts(
        () =>
          `${boundary}\r\nX: y\r\n${" z\r\n".repeat(29)}Content-Disposition: form-data; name=f\r\n\r\n\r\n`,
      ),
      "names of %22": parts(() => field("%22".repeat(1_000), "")),
      "names of backslashes": parts(() => field('\\"'.repeat(1_000), "")),
      "extended filenames": parts(
        () => `${head(`name=f; filename*=utf-8''${"%41".repeat(1_000)}`)}\r\n`,
      ),
      "names of invalid bytes": binary(
        `${boundary}\r\nContent-Disposition: form-data; name="`,
        [0xff],
      ),
      "one field of invalid bytes": binary(head("name=f"), [0xff], end),
      "one field of cut characters": binary(head("name=f"), [0xe2, 0x82], end),
      "line ends": around(head("name=f"), "\r\n", end),
      "delimiters less a byte": around(head("name=f"), `\r\n${boundary.slice(0, -1)}`, end),
      "header lines": parts(
        () =>
          `${boundary}\r\n${"X: y\r\n".repeat(30)}Content-Disposition: form-data; name=f\r\n\r\n\r\n`,
      ),
      parameters: parts(() => `${head(`name=f${"; a".repeat(1_000)}`)}\r\n`),
    },
  },
  {
    name: "json",
    contentType: "application/json",
    benign: usualRows,
    generate: generateJson,
    dense: {
      "open brackets": around("", "["),
      "closed brackets": around("[", "[],", "[]]"),
      objects: around("[", '{"":0},', "0]"),
      escapes: around('"', "\\u0041", '"'),
      quotes: around('"', '\\"', '"'),
      numbers: around("[", "1,", "1]"),
      "long numbers": around("[", "1234567890123456789e-300,", "1]"),
      "new names": freshItems("{", (word) => freshMembers(1, word), "}"),
      "new names in objects of one": freshItems("[", (word) => `{${freshMembers(1, word)}}`, "]"),
      "new names in objects of ten": freshItems("[", (word) => `{${freshMembers(10, word)}}`, "]"),
      "new names in nested objects": freshItems(
        "[",
        (word) => `{"${word()}":{${freshMembers(1, word)}}}`,
        "]",
      ),
      "as many new names as are allowed, and new strings": (bytes, variant) => {
        const word = freshWords(variant);
        const most = Math.min(500 + Math.floor(bytes / 256), Math.floor(bytes / 12)) - 10;
        const objects = Array.from({ length: Math.floor(most / 10) }, () => freshMembers(10, word));
        const names = `[{${objects.join("},{")}},`;
        return freshItems(names, () => `"${word()}"`, "]")(bytes, variant);
      },
      "new strings": freshItems("[", (word) => `"${word()}"`, "]"),
      "new indexes": freshItems("{", (word) => `"${Number.parseInt(word(), 36)}":1`, "}"),
      "one repeated name": around("{", '"a":1,', '"a":1}'),
      "prototype names": around("{", '"__proto__":1,', '"a":1}'),
      blanks: around("[", " ", "]"),
      "invalid bytes": binary('"', [0xff], '"'),
      "letters of two bytes": around('"', "ä", '"'),
    },
  },
  {
    name: "text",
    contentType: "text/plain",
    benign: around("", prose),
    generate: generateText,
    dense: {
      "invalid bytes": binary("", [0xff]),
      "letters of two bytes": around("", "ä"),
      zeros: around("", "\0"),
    },
  },
];
