import { encodeCursor, readCursor, ValidationError } from "espalier";
import { expect, test } from "vitest";

test.each([
  [["a", 1]],
  [["", 0]],
  [["café \u{1f333}", -1.5]],
  [["2026-01-01T00:00:00.000Z", 2 ** 53 - 1]],
])("the cursor of %j has these values", (values) => {
  const cursor = encodeCursor(values);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(readCursor(cursor, "string", "number")).toEqual(values);
});

test("a missing cursor is undefined", () => {
  expect(readCursor(undefined, "string")).toBe(undefined);
});

test.each([
  "",
  "%",
  "W10",
  "bnVsbA",
  encodeCursor(["a"]),
  encodeCursor([1, "a"]),
  encodeCursor(["a", 1, 2]),
  btoa('["a",null]').replaceAll("=", ""),
  btoa('{"0":"a","1":1,"length":2}').replaceAll("=", ""),
  "_____w",
  "a".repeat(2048),
])("the cursor %j is a validation error", (cursor) => {
  expect(() => readCursor(cursor, "string", "number")).toThrow(ValidationError);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, null, undefined, new Date(0), 5n])(
  "a cursor cannot hold %s",
  (value) => {
    expect(() => encodeCursor([value as number])).toThrow(
      "A value of a cursor must be a string or a finite number",
    );
  },
);

test("a cursor has a maximum length", () => {
  expect(() => encodeCursor(["x".repeat(2000)])).toThrow(
    "A cursor must have at most 2048 characters",
  );
});
