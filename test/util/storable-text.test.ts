import { expect, test } from "vitest";
import { toStorableText } from "../../src/util/storable-text.ts";

test.each(["", "default|user:42", "a%00b", "日本 🚀 ü", "\u0001\u007f\uffff", "'\"\\"])(
  "%j stays unchanged",
  (text) => {
    expect(toStorableText(text)).toBe(text);
  },
);

test.each([
  ["a\0b", "a\ufffd0000b"],
  ["\ud800", "\ufffdd800"],
  ["\udfff🚀\udbff", "\ufffddfff🚀\ufffddbff"],
  ["\ufffd", "\ufffdfffd"],
  ["\ufffd0000", "\ufffdfffd0000"],
])("%j is escaped", (text, expected) => {
  expect(toStorableText(text)).toBe(expected);
});

test("two strings never become the same, and each is well-formed and without NUL", () => {
  const units = ["\0", "\ufffd", "\ud800", "\udc00", "0", "d8", "00"];
  let texts = [""];
  for (let length = 0; length < 5; length += 1) {
    texts = [...new Set(texts.flatMap((text) => [text, ...units.map((unit) => text + unit)]))];
  }
  const escaped = texts.map(toStorableText);
  expect(new Set(escaped).size).toBe(texts.length);
  expect(escaped.filter((text) => text.includes("\0") || !text.isWellFormed())).toEqual([]);
});
