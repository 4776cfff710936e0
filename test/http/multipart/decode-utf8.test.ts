import { expect, test } from "vitest";
import { decodeUtf8 } from "../../../src/http/multipart/decode-utf8.ts";
import { Random } from "../../support/random.ts";

const platform = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes at the edges of the ranges that UTF-8 distinguishes. */
const edges = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
  0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];

test("invalid bytes are replaced as the platform replaces them", () => {
  const random = new Random(5);
  for (let round = 0; round < 3000; round += 1) {
    const bytes = new Uint8Array(random.list(256, 300, () => random.pick(edges)));
    if (decodeUtf8(bytes) !== platform.decode(bytes)) expect.fail(String(bytes));
  }
});

test.each([
  ["a valid text", "é€😀".repeat(100)],
  ["a byte order mark", `\ufeff${"x".repeat(300)}`],
  ["a short text", "é"],
])("%s stays", (_title, text) => {
  expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text);
});
