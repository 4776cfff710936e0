import { describe, expect, it } from "vitest";
import { refusal } from "../support/refusal.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

describe("the compiled matcher reports the problem of a pattern, and its position", () => {
  const name =
    'a name must follow ":", made of letters, digits, "_" and "$"; write "\\:" for the character';
  const backslash = "a backslash must precede a punctuation character other than a slash";
  const wholeWildcard = 'a wildcard "*" must be a whole segment; write "\\*" for the character';
  const repeated =
    'a parameter takes one segment, so "+" and "*" cannot follow it; ' +
    'a wildcard "*name" takes the rest';
  const irregular =
    "a constraint must be regular: no lookaround, no backreference, no anchor inside it";
  const large = "the constraint is too large: at most 64 characters once its {m,n} are written out";

  it.each<[pattern: string, message: string, position: number]>([
    ["users", 'a pattern must begin with "/"', 0],
    ["/:", name, 1],
    ["/a/:1", name, 3],
    ["/:x/:x", "a parameter name occurs twice in the pattern", 4],
    ["/:a:b", "two parameters must have text between them", 3],
    ["/*/a", 'a wildcard "*" must be the last segment', 1],
    ["/a*", wholeWildcard, 2],
    ["/**", wholeWildcard, 1],
    ["/:a-:b?", '"?" may follow only a parameter that is a whole segment', 6],
    ["/:x+", repeated, 3],
    ["/:x*", repeated, 3],
    ["/a?", "this character belongs to the pattern syntax; write a backslash before it", 2],
    ["/:id{\\d+}", 'a constraint is written in parentheses: ":name(regex)", not ":name{regex}"', 4],
    ["/:x(a", "a parenthesis is unmatched", 3],
    ["/:x()", "a constraint must not be empty", 3],
    ["/:x((?=a)b)", irregular, 6],
    ["/:x([z-a])", "the constraint is not a regular expression", 8],
    ["/:x(\\w{65})", large, 9],
    ["/:a?/:b?/:c?/:d?/:e?/:f?/:g?", "a pattern may have at most six optional parameters", 27],
    ["/100%", 'a "%" must begin the escape of UTF-8 text; write "%25" for the character', 4],
    ["/a\\b", backslash, 2],
  ])("%s", (pattern, message, position) => {
    const error = refusal(wasmMatcher(), pattern);
    expect([error.reason, error.position, error.conflict]).toEqual([
      "invalid-pattern",
      expect.any(Number),
      undefined,
    ]);
    expect(error.message).toBe(
      `The pattern ${pattern} is invalid: ${message} (position ${error.position}).`,
    );
    expect(error.position).toBe(position);
  });

  it("also of one that is empty, too long, or a duplicate", () => {
    const matcher = wasmMatcher();
    expect(refusal(matcher, "").message).toBe(
      'The pattern "" is invalid: a pattern must begin with "/" (position 0).',
    );
    const long = `/${"x".repeat(20_000)}`;
    expect(refusal(matcher, long).message).toContain(
      " is invalid: the pattern is longer than 16,384 characters (position ",
    );
    matcher.insert("GET", "/a/:b");
    expect(refusal(matcher, "/a/:c")).toMatchObject({
      reason: "duplicate",
      message: "a route with this method and shape exists already",
      conflict: 0,
      position: undefined,
    });
  });
});

describe("the names of a pattern's parameters", () => {
  it.each<[pattern: string, names: string[]]>([
    ["/", []],
    ["/a/b.c_d~e-f", []],
    ["/:a", ["a"]],
    ["/:a/", ["a"]],
    ["/x/:a/y/:b_1/:$c", ["a", "b_1", "$c"]],
    ["/:a/:b/:c/:d/:e/:f/:g", ["a", "b", "c", "d", "e", "f", "g"]],
    ["/:a?/:b?", ["a", "b"]],
    ["/:a.:b", ["a", "b"]],
    ["/:a(\\d+)/x", ["a"]],
    ["/x/*", ["*"]],
    ["/x/*rest", ["rest"]],
    ["*", ["*"]],
    ["/\\:x/:y", ["y"]],
    ["/é/:a", ["a"]],
    ["/:a/é/:b", ["a", "b"]],
  ])("of %s are %j", (pattern, names) => {
    const matcher = wasmMatcher();
    expect(matcher.insert("GET", pattern)).toEqual(names);
    expect(matcher.insert("POST", pattern)).toEqual(names);
  });
});

describe("the values of a pattern", () => {
  it.each([1, 4, 5, 6, 9, 17, 40, 200, 1_000])(
    "may be %i, also behind patterns of fewer",
    (count) => {
      const matcher = wasmMatcher();
      matcher.insert("GET", "/one/:only");
      const names = Array.from({ length: count }, (_, index) => `p${index}`);
      matcher.insert("GET", `/many${names.map((name) => `/:${name}`).join("")}`);
      const values = names.map((_, index) => `v${index % 10}`);
      const match = matcher.find("GET", `http://localhost/many/${values.join("/")}`);
      expect(Object.entries(match.params)).toEqual(names.map((name, at) => [name, values[at]]));
      expect({ ...matcher.find("GET", "http://localhost/one/x").params }).toEqual({ only: "x" });
    },
  );
});

it.each(["http:/ö/", "ö/", `http:/${"x".repeat(20_000)}ö`])("%.10s has no path", (url) => {
  const matcher = wasmMatcher();
  matcher.insert("GET", "/");
  expect(matcher.find("GET", url).status).toBe(404);
  expect(matcher.allowedMethods(url)).toEqual([]);
});

it("a request without a method, or with an unused one, is a 405", () => {
  const matcher = wasmMatcher();
  matcher.insert("GET", "/a");
  for (const method of ["", "get", "ANY", "__proto__"]) {
    const { status, allow } = matcher.find(method, "http://localhost/a");
    expect([method, status, allow]).toEqual([method, 405, ["GET", "HEAD"]]);
  }
});
