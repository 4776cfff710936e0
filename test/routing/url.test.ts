import { describe, expect, it } from "vitest";
import { StandaloneRouter as Router } from "../../src/routing/standalone-router.ts";
import type { UrlParams } from "../../src/routing/url.ts";

const handler = (): Response => new Response();

/** Creates a router with one route named "it". */
function routerOf(pattern: string): Router {
  return new Router({ trailingSlash: "strict" }).get(pattern, handler, { name: "it" });
}

describe("url of a named route", () => {
  it.each<[pattern: string, params: UrlParams, url: string]>([
    ["/", {}, "/"],
    ["/books", {}, "/books"],
    ["/books/", {}, "/books/"],
    ["/books/:id", { id: 7 }, "/books/7"],
    ["/books/:id", { id: 9007199254740993n }, "/books/9007199254740993"],
    ["/books/:id", { id: "a/b c?d#e%é" }, "/books/a%2Fb%20c%3Fd%23e%25%C3%A9"],
    ["/books/:id(\\d+)", { id: 12 }, "/books/12"],
    ["/books/:id?", { id: 7 }, "/books/7"],
    ["/books/:id?", {}, "/books"],
    ["/books/:id?", { id: undefined }, "/books"],
    ["/:language(en|de)?/about", {}, "/about"],
    ["/:language(en|de)?/about", { language: "de" }, "/de/about"],
    ["/:a?/:b?", { a: "1", b: "2" }, "/1/2"],
    ["/:a?/:b?", { a: "1" }, "/1"],
    ["/:a?/:b?", {}, "/"],
    ["/:a(\\d+)?/:b([a-z]+)?", { b: "x" }, "/x"],
    ["/:a?/x/:b?", { b: "y" }, "/x/y"],
    ["/files/*path", { path: "a b/c/d.txt" }, "/files/a%20b/c/d.txt"],
    ["/files/*path", { path: "" }, "/files/"],
    ["/files/*path", { path: "/a" }, "/files//a"],
    ["/*", { "*": "a/b" }, "/a/b"],
    ["/:name.:type", { name: "a.tar", type: "gz" }, "/a.tar.gz"],
    ["/v:major-:minor", { major: 1, minor: 2 }, "/v1-2"],
    ["/a b/caf%C3%A9/\\:x/@me", {}, "/a%20b/caf%C3%A9/:x/@me"],
    ["/a%2Fb", {}, "/a%2Fb"],
    ["/:__proto__/:toString", JSON.parse('{"__proto__":"a","toString":"b"}'), "/a/b"],
  ])("%s with %o is %s", (pattern, params, url) => {
    const router = routerOf(pattern);
    expect(router.url("it", params)).toBe(url);

    const match = router.find("GET", new URL(url, "http://localhost").href);
    expect(match.route).toBe(0);
    for (const [name, value] of Object.entries(match.params)) {
      expect(value).toBe(String(params[name]));
    }
  });

  it("appends a query", () => {
    const router = routerOf("/books");
    const query = { page: 2, tag: ["a", "b c"], draft: false, none: undefined, no: null, list: [] };
    expect(router.url("it", {}, query)).toBe("/books?page=2&tag=a&tag=b+c&draft=false");
    expect(router.url("it", {}, {})).toBe("/books");
    expect(router.url("it", {}, new URLSearchParams("a=1&a=2"))).toBe("/books?a=1&a=2");
  });

  it("keeps the text of the pattern unchanged", () => {
    expect(routerOf("/a/.").url("it")).toBe("/a/.");
    expect(routerOf("/a/../:b").url("it", { b: 1 })).toBe("/a/../1");
  });

  it("omits values without a parameter", () => {
    expect(routerOf("/books/:id").url("it", { id: 1, title: "x" })).toBe("/books/1");
  });

  it.each<[pattern: string, params: UrlParams, problem: string]>([
    ["/books/:id", {}, 'url("it") needs a value for "id" of /books/:id.'],
    ["/:a", { a: null as never }, 'url("it") needs a value for "a" of /:a.'],
    ["/:toString", {}, 'url("it") needs a value for "toString" of /:toString.'],
    ["/files/*path", {}, 'url("it") needs a value for "path" of /files/*path.'],
    ["/:a.:b", { a: "x" }, 'url("it") needs a value for "b" of /:a.:b.'],
  ])("needs every value: %s with %o", (pattern, params, problem) => {
    const router = routerOf(pattern);
    expect(() => router.url("it", params)).toThrow(
      expect.objectContaining({ code: "ERR_ROUTE_MISSING_PARAMETER", message: problem }),
    );
  });

  it.each<[pattern: string, params: UrlParams, problem: string]>([
    ["/books/:id", { id: "" }, '"id" is empty, which no path segment is'],
    ["/b/:id(\\d+)", { id: "x" }, '"id" does not match its constraint (\\d+)'],
    ["/b/:id", { id: ".." }, "it would have the segment .., which URL parsers resolve"],
    ["/b/:id", { id: "." }, "it would have the segment ., which URL parsers resolve"],
    ["/b/*path", { path: "a/../c" }, "it would have the segment .., which URL parsers resolve"],
    ["/b/.:id", { id: "." }, "it would have the segment .., which URL parsers resolve"],
    ["/b/:id", { id: "\ud800" }, '"id" holds half of a surrogate pair'],
    ["/*path", { path: "/evil.example" }, "//evil.example is the address of another host"],
    ["/:a?/:b?", { b: "y" }, '/y would be read with another "a"'],
    ["/x/:a?/:b?", { b: "y" }, '/x/y would be read with another "a"'],
    ["/:name.:type", { name: "a", type: "tar.gz" }, '/a.tar.gz would be read with another "name"'],
  ])("refuses what would lead elsewhere: %s with %o", (pattern, params, problem) => {
    const router = routerOf(pattern);
    expect(() => router.url("it", params)).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_BAD_PARAMETER",
        message: `url("it") cannot be built from ${pattern}: ${problem}.`,
      }),
    );
  });

  it("rejects a segment with a constraint that is over the matcher's limit", () => {
    const url = (pattern: string, params: UrlParams): string => routerOf(pattern).url("it", params);
    const digits = "1".repeat(1_024);
    expect(url("/:a(\\d+)", { a: digits })).toBe(`/${digits}`);
    expect(() => url("/x:a(\\d+)", { a: digits })).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_BAD_PARAMETER",
        message:
          'url("it") cannot be built from /x:a(\\d+): ' +
          "a segment with a constraint must have at most 1024 characters, got 1025.",
      }),
    );
    expect(() => url("/:a(\\d+)-:b", { a: 1, b: digits })).toThrow(
      /at most 1024 characters, got 1026/,
    );
    expect(url("/x:a", { a: digits })).toBe(`/x${digits}`);
    expect(url(`/${"x".repeat(1_025)}`, {})).toHaveLength(1_026);
  });

  it("rejects a path over the matcher's limit", () => {
    const long = "x".repeat(20_000);
    expect(() => routerOf("/:a?").url("it", { a: long })).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_BAD_PARAMETER",
        message: expect.stringMatching(/ would be read with another "a"\.$/),
      }),
    );
  });

  it("suggests the nearest routes for an unknown name", () => {
    const router = new Router().get("/", handler, { name: "books.show" });
    const message =
      'No route is named "books.shwo". Did you mean "books.show"? ' +
      'Set a name in the options of a route: { name: "…" }.';
    const expected = expect.objectContaining({ code: "ERR_ROUTE_UNKNOWN_NAME", message });
    expect(() => router.url("books.shwo")).toThrow(expected);
    expect(() => router.url("toString")).toThrow(/^No route is named "toString"\./);
    const unnamed = new Router().get("/", handler).get("/a", handler);
    for (const name of ["undefined", "x"]) {
      expect(() => unnamed.url(name)).toThrow(
        `No route is named "${name}". Nothing is registered yet. ` +
          'Set a name in the options of a route: { name: "…" }.',
      );
    }
  });
});
