import { beforeAll, describe, expect, test } from "vitest";
import { type Hit, openSearch, pageOf } from "./built-site.ts";
import { searchQueries } from "./search-queries.ts";

/** Declares the tests of the search of a site that is built into a folder. */
export function checkSearch(folder: string): void {
  describe("the search", () => {
    let search: (query: string) => Hit[];
    beforeAll(async () => {
      search = await openSearch(folder);
    });

    test("is checked with at least 120 queries, each once", () => {
      expect(searchQueries.length).toBeGreaterThanOrEqual(120);
      const distinct = new Set(searchQueries.map(({ query }) => query));
      expect(distinct.size).toBe(searchQueries.length);
    });

    test.each(searchQueries)(
      "$query: one of $pages is among the first three hits",
      ({ query, pages }) => {
        const found = search(query).slice(0, 3).map(pageOf);
        expect(
          found.some((page) => pages.includes(page)),
          found.join(", "),
        ).toBe(true);
      },
    );
  });
}
