import { expect, test } from "vitest";
import { FormText } from "../../../src/http/multipart/form-text.ts";
import { unescapeName } from "../../../src/http/multipart/unescape-name.ts";

/** Unescapes a name inside other bytes, which must not be read. */
function unescapeWithin(escaped: string): string {
  const bytes = new TextEncoder().encode(escaped);
  const within = Uint8Array.of(0x22, ...bytes, 0x22, 0x32, 0x32);
  return unescapeName(within, 1, bytes.length + 1, new FormText());
}

test.each([
  ["title", "title"],
  ["a%22b", 'a"b'],
  ["%0d%0a%0D%0A", "\r\n\r\n"],
  ['a\\"b\\\\c', 'a"b\\c'],
  ["C:\\new\\a.txt", "C:\\new\\a.txt"],
  ["100%", "100%"],
  ["%2", "%2"],
  ["%20%2f%0b%1a%e4", "%20%2f%0b%1a%e4"],
  ["%%22", '%"'],
  ["\\%22", '\\"'],
  ["\\\\%22", '\\"'],
  ["a\\", "a\\"],
  ["a%", "a%"],
  ["grüezi %22😀%22", 'grüezi "😀"'],
])("%j is %j", (escaped, name) => {
  expect(unescapeWithin(escaped)).toBe(name);
});

test("a long name is decoded whole", () => {
  expect(unescapeWithin("%22a".repeat(30_000))).toBe('"a'.repeat(30_000));
});
