import { describe, expect, it } from "vitest";
import { createMatcher } from "../../src/routing/create-matcher.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import type { RouteMatcher } from "../../src/routing/route-match.ts";
import { findDifference } from "../support/matcher-difference.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const origin = "http://localhost";
const matchers = [
  ["compiled", wasmMatcher],
  ["reference", createReferenceMatcher],
] as const;

// `differential.test.ts` does so with many more.
it("compiled and reference matcher return the same results for 6,000 random pairs", () => {
  const search = { pairs: 6_000, seed: 7 };
  const report = findDifference(wasmMatcher, createReferenceMatcher, search);
  expect(report.difference).toBeUndefined();
  expect(report.routeSets).toBe(240);
});

describe.each(matchers)("the %s matcher", (_engine, createMatcher) => {
  function matcherOf(...patterns: readonly string[]): RouteMatcher {
    const matcher = createMatcher({ ignoreTrailingSlash: false });
    for (const pattern of patterns) matcher.insert("GET", pattern);
    return matcher;
  }
  const routeOf = (matcher: RouteMatcher, path: string): number =>
    matcher.find("GET", origin + path).route;

  it("removes the last inserted routes", () => {
    const matcher = matcherOf("/a/:x", "/a/:x?/:y?/z", "/b");
    matcher.insert("PURGE", "/b");
    matcher.insert("GET", "/:c?/:d?");
    matcher.truncate(3);
    expect(["/a/1", "/a/1/z", "/b", "/c/d"].map((path) => routeOf(matcher, path))).toEqual([
      0, 1, 2, -1,
    ]);
    expect(matcher.find("GET", `${origin}/a/1/2/z`).params).toEqual({ x: "1", y: "2" });
    expect(matcher.allowedMethods(`${origin}/b`)).toEqual(["GET", "HEAD"]);
    expect(matcher.find("PURGE", `${origin}/b`).status).toBe(405);
    expect(matcher.insert("PURGE", "/b/:e")).toEqual(["e"]);
    expect(matcher.find("PURGE", `${origin}/b/7`)).toMatchObject({ route: 3, params: { e: "7" } });
    matcher.truncate(9);
    expect(routeOf(matcher, "/b")).toBe(2);
    matcher.truncate(0);
    expect(routeOf(matcher, "/b")).toBe(-1);
    expect(matcher.insert("GET", "/b")).toEqual([]);
    expect(routeOf(matcher, "/b")).toBe(0);
  });

  it("distinguishes patterns that differ only in a constraint", () => {
    const matcher = matcherOf("/:a(\\d+)-x", "/:a([a-f]+)-x", "/:a-x", "/y/:b(\\d+)", "/y/:b");
    expect(
      ["/12-x", "/ab-x", "/zz-x", "/y/1", "/y/z"].map((path) => routeOf(matcher, path)),
    ).toEqual([0, 1, 2, 3, 4]);
    for (const [pattern, conflict] of [
      ["/:other(\\d+)-x", 0],
      ["/:other-x", 2],
      ["/y/:other(\\d+)", 3],
      ["/y/:other", 4],
    ] as const) {
      expect(() => matcher.insert("GET", pattern)).toThrow(
        expect.objectContaining({ name: "PatternError", reason: "duplicate", conflict }),
      );
    }
  });

  it("tries text, mixed, constrained, plain and optional segments before a wildcard", () => {
    const matcher = matcherOf(
      "/*rest",
      "/:optional?",
      "/:constrained([b-y]\\w*)?",
      "/:plain",
      "/:other([a-x]+)",
      "/v:mixed",
      "/va:longer",
      "/vab",
    );
    const paths = ["/vab", "/vac", "/vbc", "/abc", "/zzz", "/", "/a/b"];
    expect(paths.map((path) => routeOf(matcher, path))).toEqual([7, 6, 5, 4, 3, 1, 0]);
  });

  it.each<[patterns: string[], path: string, params: Record<string, string>]>([
    [["/:a"], "/x%20y", { a: "x y" }],
    [["/:a/:b/:c/:d/:e/:f"], "/1/2/3/4/5/6", { a: "1", b: "2", c: "3", d: "4", e: "5", f: "6" }],
    [["/:name.:type"], "/a.tar.gz", { name: "a.tar", type: "gz" }],
    [["/:a(\\d+)-:b([a-z]+)"], "/12-ab", { a: "12", b: "ab" }],
    [["/:a(a+)-:b"], "/aa-a-b", { a: "aa", b: "a-b" }],
    [["/x:ay"], "/x1", { ay: "1" }],
    [["/:a?/:b?"], "/1", { a: "1" }],
    [["/:a?/:b?"], "/1/2", { a: "1", b: "2" }],
    [["/*rest"], "/a%2Fb/c", { rest: "a/b/c" }],
    [["/*"], "/a/b", { "*": "a/b" }],
    [["/🍌:a🍌"], "/%F0%9F%8D%8Cx%F0%9F%8D%8C", { a: "x" }],
    [["/:__proto__/:constructor"], "/p/c", JSON.parse('{"__proto__":"p","constructor":"c"}')],
  ])("reads the values of %j in %s", (patterns, path, params) => {
    const match = matcherOf(...patterns).find("GET", origin + path);
    expect(match.status).toBe(200);
    expect(Object.entries(match.params)).toEqual(Object.entries(params));
  });

  it("returns the methods of a path in the order of registration", () => {
    const matcher = createMatcher({ ignoreTrailingSlash: true });
    const routes: [string, string][] = [
      ["GET", "/a"],
      ["HEAD", "/a"],
      ["POST", "/b"],
      ["ALL", "/b"],
      ["GET", "/c"],
      ["PURGE", "/c"],
    ];
    for (const [method, pattern] of routes) matcher.insert(method, pattern);
    const find = (method: string, path: string): unknown[] => {
      const { status, route, allow } = matcher.find(method, origin + path);
      return [status, route, allow];
    };
    expect(find("GET", "/a")).toEqual([200, 0, []]);
    expect(find("HEAD", "/a")).toEqual([200, 1, []]);
    expect(find("POST", "/a")).toEqual([405, -1, ["GET", "HEAD"]]);
    expect(find("POST", "/b")).toEqual([200, 2, []]);
    expect(find("ANYTHING", "/b/")).toEqual([200, 3, []]);
    expect(find("HEAD", "/c")).toEqual([200, 4, []]);
    expect(find("PUT", "/c")).toEqual([405, -1, ["GET", "HEAD", "PURGE"]]);
    expect(find("GET", "/d")).toEqual([404, -1, []]);
    expect(matcher.allowedMethods(`${origin}/b`)).toEqual(["ALL", "POST"]);
    expect(matcher.allowedMethods(`${origin}/d`)).toEqual([]);
    expect(matcher.allowedMethods("nowhere")).toEqual([]);
  });

  it("prefers the earlier segment over more specific later ones", () => {
    const matcher = matcherOf("/:a(\\d+)/:y", "/:b(\\w+)/z", "/x:c/:d", "/y/:a(\\d+)/q", "/y/:b/r");
    expect(["/1/z", "/q/z", "/x1/z", "/y/1/r"].map((path) => routeOf(matcher, path))).toEqual([
      0, 1, 2, 4,
    ]);
  });

  it.each(["http://localhost?x", "http://localhost#x", "http://localhost", "localhost", ""])(
    "finds no path in %j",
    (url) => {
      const matcher = matcherOf("/", "/*");
      expect(matcher.find("GET", url).status).toBe(404);
      expect(matcher.allowedMethods(url)).toEqual([]);
    },
  );

  it("matches the rest of any path with a star", () => {
    const matcher = createMatcher({ ignoreTrailingSlash: false });
    expect(matcher.insert("GET", "*")).toEqual(["*"]);
    expect({ ...matcher.find("GET", `${origin}/a/b`).params }).toEqual({ "*": "a/b" });
  });

  it.each(["/a\\/b", "/a\\b", "/a\\1", "/\\", "/:a\\/b"])("refuses the escape in %s", (pattern) => {
    expect(() => matcherOf(pattern)).toThrow(
      expect.objectContaining({ name: "PatternError", reason: "invalid-pattern" }),
    );
  });

  it("distinguishes names that are equal when concatenated", () => {
    const matcher = matcherOf("/1/:ab/:c", "/2/:a/:bc", "/3/:abc", "/4/:a/:b/:c");
    const namesOf = (path: string): string[] =>
      Object.keys(matcher.find("GET", origin + path).params);
    expect(["/1/x/y", "/2/x/y", "/3/x", "/4/x/y/z"].map(namesOf)).toEqual([
      ["ab", "c"],
      ["a", "bc"],
      ["abc"],
      ["a", "b", "c"],
    ]);
  });

  it("treats every method name as distinct", () => {
    const matcher = createMatcher({ ignoreTrailingSlash: false });
    for (const method of ["", "get", "toString"]) matcher.insert(method, "/a");
    expect(matcher.find("GET", `${origin}/a`).status).toBe(405);
    expect(matcher.find("", `${origin}/a`).route).toBe(0);
    expect(matcher.find("toString", `${origin}/a`).route).toBe(2);
    expect(matcher.insert("GET", "/a")).toEqual([]);
    expect(matcher.find("HEAD", `${origin}/a`).route).toBe(3);
  });

  it.each([
    ["/%zz", 400],
    ["/%", 400],
    ["/%FF", 400],
    ["/%C3", 400],
    ["/%c3%a9", 200],
    ["/", 404],
    ["//", 404],
  ])("says of %s that it is a %i where a value is to be read", (path, status) => {
    expect(matcherOf("/:a").find("GET", origin + path).status).toBe(status);
  });
});

it("a router uses the compiled one if there is a module", () => {
  expect(createMatcher({ ignoreTrailingSlash: true }).engine).toBe("wasm");
});

it("the reference matcher names the existing route of the same shape", () => {
  const matcher = createReferenceMatcher({ ignoreTrailingSlash: true });
  for (const pattern of ["/", "/a/:b"]) matcher.insert("GET", pattern);
  expect(() => matcher.insert("GET", "/a/:c/")).toThrow(
    "GET /a/:c/ has the same shape as route 1.",
  );
});
