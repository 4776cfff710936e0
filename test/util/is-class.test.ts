import { expect, test } from "vitest";
import { isClass } from "../../src/util/is-class.ts";

test.each([class {}, class Book {}, Object.freeze(class Book {}), Map])(
  "%s is a class",
  (value) => {
    expect(isClass(value)).toBe(true);
  },
);

test.each([
  function handler() {},
  Object.freeze(function handler() {}),
  Object.freeze(() => {}),
  Object.freeze(async () => {}),
  { prototype: {} },
  undefined,
])("%s is not a class", (value) => {
  expect(isClass(value)).toBe(false);
});
