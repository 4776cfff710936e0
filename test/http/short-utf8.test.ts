import { expect, test } from "vitest";
import { decodeShortUtf8 } from "../../src/http/short-utf8.ts";
import { Random } from "../support/random.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

test("short text is decoded as by a TextDecoder, valid or not", () => {
  const random = new Random(20_261_128);
  // The limits of the ranges in the tables of the Unicode standard, section 3.9.
  const edges = [
    ...[0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec],
    ...[0xed, 0xee, 0xef, 0xbb, 0xbf, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff, 0x41],
  ];
  for (let at = 0; at < 100_000; at += 1) {
    const bytes = Uint8Array.from(random.list(0, 6, () => random.pick(edges)));
    const text = decodeShortUtf8(bytes, 0, bytes.length);
    if (text !== decoder.decode(bytes)) expect.fail(`${bytes} reads ${JSON.stringify(text)}`);
  }
});

test("only the range is decoded", () => {
  const bytes = new TextEncoder().encode("aä€😀b");
  expect(decodeShortUtf8(bytes, 1, bytes.length - 1)).toBe("ä€😀");
  expect(decodeShortUtf8(bytes, 2, 2)).toBe("");
});
