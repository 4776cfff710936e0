import { expect, test } from "vitest";
import { bearerToken } from "../../src/auth/bearer.ts";

test.each([
  ["Bearer a.b.c", "a.b.c"],
  ["bEARER   a.b.c", "a.b.c"],
  ["bearer   a.b.c", "a.b.c"],
  ["BEARER a", "a"],
  ["Bearer", ""],
  ["Bearer a b", ""],
  ["Bearer a, Bearer b", ""],
  ["Bearer a,", ""],
  ["Bearer a,b", ""],
  ["Bearer a\tb", ""],
  ["Bearer\ta", undefined],
  ["Bearera", undefined],
  ["Bearer:a", undefined],
  ["xBearer a", undefined],
  ["Basic a", undefined],
  ["Basic bearer ", undefined],
  ["Basic x, Bearer a", undefined],
  ["", undefined],
])("the token of %j is %j", (authorization, token) => {
  expect(bearerToken(new Headers({ authorization }))).toBe(token);
});

test("without the header there is no token", () => {
  expect(bearerToken(new Headers())).toBeUndefined();
  expect(bearerToken(new Headers({ cookie: "Authorization=Bearer a" }))).toBeUndefined();
});
