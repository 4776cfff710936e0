import { describe, expect, test } from "vitest";
import { FrontFilter } from "../../src/routing/front-filter.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { Random } from "../support/random.ts";

const origin = "http://host";

function filterOf(patterns: readonly string[]): (path: string) => boolean {
  const filter = new FrontFilter();
  for (const pattern of patterns) filter.add(pattern);
  return (path) => filter.rejects(`${origin}${path}`, origin.length);
}

describe("the filter in front of the matcher", () => {
  test.each(["/wp-admin", "/urders", "/.env", "/xusers", "///users"])("rejects %s", (path) => {
    expect(filterOf(["/users/:id", "/orders", "/v1/:a"])(path)).toBe(true);
  });

  test.each([
    ["a path of a route", "/users/1"],
    ["another path that begins so", "/useful"],
    ["a segment shorter than what is compared", "/v1/a"],
    ["such a segment before a query", "/v1?a"],
    ["a path shorter than what is compared", "/x"],
    ["a character that is escaped", "/%75sers/1"],
    ["a character that is not ASCII", "/üsers/1"],
    ["a path that could be over the limit", `/x${"a".repeat(2_000)}`],
  ])("passes %s", (_, path) => {
    expect(filterOf(["/users/:id", "/v1/:a"])(path)).toBe(false);
  });

  test.each(["/:any", "/*", "*", "/user-:id", "/us%65rs", "/a?b", "/:a?/b", "/\\:a"])(
    "passes every path for the pattern %s",
    (pattern) => {
      expect(filterOf(["/users", pattern])("/wp-admin")).toBe(false);
    },
  );

  test("passes more than 32 beginnings, and paths of each", () => {
    const names = Array.from(
      { length: 100 },
      (_, index) => `${String(index).padStart(2, "0")}-name`,
    );
    const rejects = filterOf(names.map((name) => `/${name}/:id`));
    expect(names.filter((name) => rejects(`/${name}/1`))).toEqual([]);
    expect(rejects("/xyz/1")).toBe(true);
  });

  test.each(["ignore", "strict"] as const)(
    "never rejects a path that the reference matcher finds, with trailing slashes %s",
    (trailingSlash) => {
      const generator = new Random(20_261_129);
      const random = (below: number): number => generator.between(0, below - 1);
      const text = (pieces: readonly string[], most: number): string =>
        Array.from({ length: random(most) }, () => pieces[random(pieces.length)] ?? "").join("");
      let matches = 0;
      for (let round = 0; round < 300; round++) {
        const ignoreTrailingSlash = trailingSlash === "ignore";
        const matcher = createReferenceMatcher({ ignoreTrailingSlash });
        const filter = new FrontFilter();
        for (let route = 0; route < 3; route++) {
          const pattern = `/${text(["a", "b", "-", "/", "/:id", "%61"], 5)}`;
          try {
            matcher.insert("GET", pattern);
            filter.add(pattern);
          } catch {
            // Invalid, or registered already.
          }
        }
        for (let at = 0; at < 30; at++) {
          const url = `${origin}/${text(["a", "b", "-", "/", "%61", "%62", "?", "#"], 7)}`;
          if (matcher.find("GET", url).status !== 404) {
            matches += 1;
            expect(filter.rejects(url, origin.length), url).toBe(false);
          }
        }
      }
      expect(matches).toBeGreaterThan(500);
    },
  );
});
