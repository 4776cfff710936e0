import { expect, test } from "vitest";
import { parseMiddlewareReference } from "../../src/pipeline/middleware-reference.ts";

test.each([
  ["auth", "auth", []],
  [" auth ", "auth", []],
  ["can:edit", "can", ["edit"]],
  ["can:edit,post", "can", ["edit", "post"]],
  [" can : edit , post ", "can", ["edit", "post"]],
  ["limit:10:60", "limit", ["10:60"]],
  ["can:", "can", [""]],
])("%j is the middleware %j with %j", (reference, name, args) => {
  expect(parseMiddlewareReference(reference)).toEqual({ name, args });
});
