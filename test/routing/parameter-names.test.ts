import { describe, expect, test } from "vitest";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const options = { ignoreTrailingSlash: true };

/** Parameter names, and strings that only look like them. */
const patterns: readonly (readonly [pattern: string, names: readonly string[]])[] = [
  ["/", []],
  ["/books", []],
  ["/a.b/~c/d-e_f/", []],
  ["/books/:id", ["id"]],
  ["/books/:id/", ["id"]],
  ["/:a/:b/x/:c", ["a", "b", "c"]],
  ["/:a//:b", ["a", "b"]],
  ["/:$id/:_1", ["$id", "_1"]],
  ["/:a.json", ["a"]],
  ["/:a-:b", ["a", "b"]],
  ["/v:major", ["major"]],
  ["/\\:a/:b", ["b"]],
  ["/%3Aa/:b", ["b"]],
  ["/é/:a", ["a"]],
  ["/:a/b\\?c", ["a"]],
  ["/:a(\\d+)/:b", ["a", "b"]],
  ["/:a?/:b?", ["a", "b"]],
  ["/*", ["*"]],
  ["/:a/*rest", ["a", "rest"]],
];

describe("the names of a pattern's parameters", () => {
  for (const [pattern, names] of patterns) {
    test(`${pattern} has ${names.length === 0 ? "none" : names.join(", ")}`, () => {
      expect(wasmMatcher().insert("GET", pattern)).toEqual(names);
      expect(createReferenceMatcher(options).insert("GET", pattern)).toEqual(names);
    });
  }

  test("are correct after many routes and a growth of memory", () => {
    const matcher = wasmMatcher();
    for (let i = 0; i < 3000; i++) matcher.insert("GET", `/area${i}/:first${i % 7}/:second/leaf`);
    expect(matcher.find("GET", "http://h/area2999/7/x/leaf").params).toEqual({
      first3: "7",
      second: "x",
    });
  });

  test("have their values if a later pattern has more of them", () => {
    const matcher = wasmMatcher();
    matcher.insert("GET", "/a/:one");
    const count = 40;
    const names = Array.from({ length: count }, (_, index) => `p${index}`);
    matcher.insert("GET", `/b/${names.map((name) => `:${name}`).join("/")}`);
    const match = matcher.find("GET", `http://h/b/${names.join("/")}`);
    expect(Object.entries(match.params)).toEqual(names.map((name) => [name, name]));
    expect(matcher.find("GET", "http://h/a/1").params).toEqual({ one: "1" });
  });
});
