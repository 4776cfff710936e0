import { expect, test } from "vitest";
import { unescapeName } from "../../../src/http/multipart/unescape-name.ts";

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
  ["grüezi %22😀%22", 'grüezi "😀"'],
])("%j is %j", (escaped, name) => {
  expect(unescapeName(escaped)).toBe(name);
});

test("a long name is decoded whole", () => {
  expect(unescapeName("%22a".repeat(30_000))).toBe('"a'.repeat(30_000));
});
