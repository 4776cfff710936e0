import { describe, expect, it, vi } from "vitest";
import { DeferredMatcher } from "../../src/routing/deferred-matcher.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import type { RouteMatcher } from "../../src/routing/route-match.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const origin = "http://localhost";

/** Creates a matcher with GET routes, and a function that returns whether the module's matcher has been created. */
function deferred(patterns: readonly string[]): {
  readonly matcher: RouteMatcher;
  readonly isCreated: () => boolean;
} {
  const create = vi.fn(() => wasmMatcher({ ignoreTrailingSlash: true }));
  const matcher = new DeferredMatcher(create);
  for (const pattern of patterns) matcher.insert("GET", pattern);
  return { matcher, isCreated: () => create.mock.calls.length > 0 };
}

describe("DeferredMatcher", () => {
  const patterns = ["/", "/a/:x", "/a/b", "/:y/b", "/a/:x/c/:z", "/~x.y-z"];

  it.each([
    ["/", 0, {}],
    ["/a/1", 1, { x: "1" }],
    ["/a/b", 2, {}],
    ["/b/b", 3, { y: "b" }],
    ["/a/b/c/d.e-f?g=/a/b", 4, { x: "b", z: "d.e-f" }],
    ["/a/b#c", 2, {}],
    ["?a=/b", -1, {}],
  ])("matches %s like the module", (path, route, params) => {
    const { matcher, isCreated } = deferred(patterns);
    const match = matcher.find("GET", origin + path);
    expect(match).toMatchObject({ route, params });
    expect(Object.getPrototypeOf(match.params)).toBeNull();
    expect(isCreated()).toBe(route === -1);
    matcher.allowedMethods(origin);
    expect(matcher.find("GET", origin + path)).toMatchObject({ route, params });
  });

  it("returns the names of parameters, and shares the frozen ones of routes without any", () => {
    const { matcher, isCreated } = deferred(["/a", "/b"]);
    expect(matcher.insert("POST", "/a/:x/:y")).toEqual(["x", "y"]);
    const [one, other] = ["/a", "/b"].map((path) => matcher.find("GET", origin + path).params);
    expect(one).toBe(other);
    expect(Object.isFrozen(one)).toBe(true);
    expect(isCreated()).toBe(false);
  });

  it("distinguishes methods, and prefers a route of the method to a more specific one without it", () => {
    const { matcher, isCreated } = deferred(["/a/:x"]);
    matcher.insert("POST", "/a/b");
    expect(matcher.find("GET", `${origin}/a/b`)).toMatchObject({ route: 0, params: { x: "b" } });
    expect(matcher.find("POST", `${origin}/a/b`)).toMatchObject({ route: 1, params: {} });
    expect(isCreated()).toBe(false);
  });

  it.each([
    "/a/*",
    "/a/:x?",
    "/a/:x(\\d+)",
    "/a/x-:x",
    "/%C3%A9",
    "/é",
    "/a/",
    "//a",
    "/a//b",
    "*",
  ])("leaves the pattern %s to the module", (pattern) => {
    expect(deferred([pattern]).isCreated()).toBe(true);
  });

  it.each(["HEAD", "ALL"])("leaves a route for %s to the module", (method) => {
    const { matcher, isCreated } = deferred(["/a/:x"]);
    matcher.insert(method, "/a/b");
    expect(isCreated()).toBe(true);
    expect(matcher.find(method, `${origin}/a/b`).route).toBe(1);
  });

  it.each([
    ["/a/:x/:x", "a parameter name occurs twice in the pattern"],
    ["/a/:y", "a route with this method and shape exists already"],
    ["/a/:", 'a name must follow ":"'],
  ])("refuses %s like the module", (pattern, message) => {
    const { matcher } = deferred(["/a/:x"]);
    expect(() => matcher.insert("GET", pattern)).toThrow(message);
    expect(matcher.find("GET", `${origin}/a/1`).route).toBe(0);
  });

  it.each([
    ["GET", "/none", 404],
    ["POST", "/a/b", 405],
    ["HEAD", "/a/b", 200],
    ["GET", "/a/b/", 200],
    ["GET", "/a/%62", 200],
    ["GET", "/a/é", 200],
    ["GET", "/a/%ff", 400],
    ["GET", `/a/${"x".repeat(2_000)}`, 200],
    ["GET", `/a/${"x".repeat(20_000)}`, 414],
    ["GET", "/a/", 404],
  ])("leaves %s %s to the module", (method, path, status) => {
    const { matcher, isCreated } = deferred(patterns);
    expect(matcher.find(method, origin + path).status).toBe(status);
    expect(isCreated()).toBe(true);
  });

  it("leaves everything to the module after some requests", () => {
    const { matcher, isCreated } = deferred(["/a/:x"]);
    for (let i = 0; i < 100; i++) matcher.find("GET", `${origin}/a/${i}`);
    expect(isCreated()).toBe(false);
    expect(matcher.find("GET", `${origin}/a/100`)).toMatchObject({ params: { x: "100" } });
    expect(isCreated()).toBe(true);
  });

  it("leaves more than some routes to the module", () => {
    const { matcher, isCreated } = deferred(Array.from({ length: 32 }, (_, i) => `/${i}/:x`));
    expect(isCreated()).toBe(false);
    matcher.insert("GET", "/32/:x");
    expect(isCreated()).toBe(true);
    for (const i of [0, 31, 32]) {
      const match = matcher.find("GET", `${origin}/${i}/y`);
      expect(match).toMatchObject({ route: i, params: { x: "y" } });
    }
  });

  it("removes the last routes", () => {
    const { matcher } = deferred(["/a", "/b"]);
    matcher.truncate(1);
    expect(matcher.find("GET", `${origin}/b`).status).toBe(404);
    expect(matcher.insert("GET", "/b")).toEqual([]);
    expect(matcher.find("GET", `${origin}/b`).route).toBe(1);
  });

  it("returns the matches of the reference matcher for all pairs of small patterns", () => {
    const segments = ["a", "b", ":x", ":y"];
    const all = [
      "/",
      ...segments.flatMap((one) => [`/${one}`, ...segments.map((two) => `/${one}/${two}`)]),
    ];
    const paths = [
      "/",
      "/a",
      "/b",
      "/c",
      "/a/b",
      "/b/a",
      "/a/c",
      "/c/a",
      "/c/d",
      "//",
      "/a/",
      "/a/b/c",
    ];
    const create = [
      () => new DeferredMatcher(() => wasmMatcher({ ignoreTrailingSlash: true })),
      () => createReferenceMatcher({ ignoreTrailingSlash: true }),
    ];
    for (const pair of all.flatMap((first) => all.map((second) => [first, second]))) {
      for (const path of paths) {
        const [own, other] = create.map((createMatcher) => {
          const matcher = createMatcher();
          const names = pair.map((pattern) => tryInsert(matcher, pattern));
          const { status, route, params } = matcher.find("GET", origin + path);
          return { names, status, route, params: { ...params } };
        });
        expect(own, `${path} in ${pair.join(" and ")}`).toEqual(other);
      }
    }
  });
});

/** Returns the names of the parameters, or false if the pattern is refused. */
function tryInsert(matcher: RouteMatcher, pattern: string): readonly string[] | false {
  try {
    return matcher.insert("GET", pattern);
  } catch {
    return false;
  }
}
