import { describe, expect, test } from "vitest";
import { describe as describeValue, kindOf } from "../../src/util/describe.ts";

class Books {}

test.each<[unknown, kind: string, description: string]>([
  [undefined, "undefined", "undefined"],
  [null, "null", "null"],
  ["", "a string", '""'],
  ['a"b\n', "a string", '"a\\"b\\n"'],
  ["redis://u:p@ss@cache:6379/0?a@b", "a string", '"redis://***@cache:6379/0?a@b"'],
  [["postgres://u:p@db/x"], "an array", '["postgres://***@db/x"]'],
  ["https://a.example/@ada", "a string", '"https://a.example/@ada"'],
  [`redis://u:${"p".repeat(300)}@cache`, "a string", '"redis://***@cache"'],
  [Number.NaN, "a number", "NaN"],
  [true, "a boolean", "true"],
  [5n, "a bigint", "a bigint"],
  [Symbol("s"), "a symbol", "a symbol"],
  [() => {}, "a function", "a function"],
  [Books, "a class", "the class Books"],
  [(() => class {})(), "a class", "the class (anonymous)"],
  [new Books(), "an object", "an instance of Books"],
  [Promise.resolve(), "a promise", "a promise"],
  [new RangeError("secret"), "an error", "an instance of RangeError"],
  [new ReadableStream(), "a stream", "an instance of ReadableStream"],
  [[], "an array", "[]"],
  [["a", 5, ["b"], { c: 1 }], "an array", '["a", 5, an array, { c }]'],
  [{}, "an object", "{}"],
  [Object.create(null), "an object", "{}"],
  [{ password: "hunter2", get() {} }, "an object", "{ password, get }"],
])("%s is %s", (value, kind, description) => {
  expect(kindOf(value)).toBe(kind);
  expect(describeValue(value)).toBe(description);
});

describe("a long value", () => {
  test.each([
    "x".repeat(10_000),
    Array.from({ length: 10_000 }, () => "xxxx"),
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name${index}`, 1])),
  ])("is shortened", (value) => {
    expect(describeValue(value).length).toBeLessThan(210);
  });
});
