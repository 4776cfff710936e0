import { describe, expect, it } from "vitest";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import type { RouteMatcher } from "../../src/routing/route-match.ts";
import { costRatio } from "../support/cost-ratio.ts";

/** Creates a matcher with routes for GET. */
function matcherOf(...patterns: readonly string[]): RouteMatcher {
  const matcher = createReferenceMatcher({ ignoreTrailingSlash: true });
  for (const pattern of patterns) matcher.insert("GET", pattern);
  return matcher;
}

const origin = "http://localhost";

describe("reference matcher", () => {
  it("names its engine", () => {
    expect(matcherOf().engine).toBe("reference");
  });

  it.each([
    ["http://localhost/a", 200],
    ["https://user.example:8443/a?x=/b#/c", 200],
    ["http://[::1]/a#?", 200],
    ["http://localhost/a/", 200],
    ["http://localhost", 404],
    ["http://localhost?x=/a", 404],
    ["http://localhost/?/a", 404],
    ["", 404],
  ])("cuts the path out of %j", (url, status) => {
    expect(matcherOf("/a").find("GET", url).status).toBe(status);
  });

  it("lets a constraint decide where a mixed segment splits", () => {
    const matcher = matcherOf("/:year(\\d{4})-:slug", "/x/:id(\\d+)-:rest", "/y/:a-:b");
    const paramsOf = (path: string): object => ({ ...matcher.find("GET", origin + path).params });
    expect(paramsOf("/2024-01-02")).toEqual({ year: "2024", slug: "01-02" });
    expect(paramsOf("/x/42-hello-world")).toEqual({ id: "42", rest: "hello-world" });
    expect(paramsOf("/y/1-2-3")).toEqual({ a: "1-2", b: "3" });
  });

  it("ignores the trailing slash of every form of a pattern", () => {
    const matcher = matcherOf("/a//:b?", "/c/:d?/");
    const statusOf = (path: string): number => matcher.find("GET", origin + path).status;
    expect(["/a", "/a/", "/a//", "/a//x", "/a//x/"].map(statusOf)).toEqual([
      200, 200, 404, 200, 200,
    ]);
    expect(["/c", "/c/", "/c/x", "/c/x/", "/c//"].map(statusOf)).toEqual([200, 200, 200, 200, 404]);
  });

  it("returns 414 for a path over 16,384 characters", () => {
    const matcher = matcherOf("/*");
    expect(matcher.find("GET", `${origin}/${"a".repeat(16_383)}`).status).toBe(200);
    expect(matcher.find("GET", `${origin}/${"a".repeat(16_384)}?b`).status).toBe(414);
    expect(matcher.find("GET", `${origin}/a?${"b".repeat(20_000)}`).status).toBe(200);
    expect(matcher.allowedMethods(`${origin}/${"a".repeat(16_384)}`)).toEqual([]);
  });

  it("takes linear time for adversarial paths", async () => {
    const matcher = matcherOf(
      "/:a-:b-:c-:d-",
      "/x/:id((a+)+)",
      "/y/:a(\\w+)-:b(.*)-:c(\\w*)",
      "/:a?/:b?/:c?/:d?/:e?/:f?/end",
      "/z/*",
    );
    const paths = [
      `/${"-".repeat(16_000)}a`,
      `/x/${"a".repeat(16_000)}!`,
      `/y/${"-".repeat(16_000)}`,
      `/y/${"a-".repeat(8_000)}!`,
      "/a".repeat(8_000),
      `/z${"/%2525".repeat(2_700)}`,
      `/z/${"%".repeat(16_000)}`,
    ];
    const find = (path: string): number => matcher.find("GET", origin + path).status;
    expect(paths.map(find)).toEqual([404, 404, 404, 404, 404, 200, 400]);
    const usual = `/z${"/usual".repeat(2_700)}`;
    for (const path of paths) {
      expect(
        await costRatio(
          () => find(path),
          () => find(usual),
          2,
        ),
      ).toBeLessThan(200);
    }
  });

  it("never throws for a lone surrogate", () => {
    const matcher = matcherOf("/:a", "/:a-:b", "/x/:c(.)", "/y/*");
    for (const path of ["/\ud800", "/\udc00-\ud800", "/x/\ud83d", "/y/\ud83d/\ude00"]) {
      expect(matcher.find("GET", origin + path).status).toBe(200);
    }
  });

  it("is unchanged after an invalid pattern", () => {
    const matcher = matcherOf("/a/:b", "/c");
    expect(() => matcher.insert("GET", "/a/:x")).toThrow(
      expect.objectContaining({ name: "PatternError", reason: "duplicate", conflict: 0 }),
    );
    expect(() => matcher.insert("GET", "/d*")).toThrow(
      expect.objectContaining({ name: "PatternError", reason: "invalid-pattern", position: 2 }),
    );
    matcher.insert("POST", "/e");
    expect(matcher.find("POST", `${origin}/e`).route).toBe(2);
    expect(matcher.allowedMethods(`${origin}/a/x`)).toEqual(["GET", "HEAD"]);
  });
});
