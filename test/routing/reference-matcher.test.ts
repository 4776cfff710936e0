import { describe, expect, it } from "vitest";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { checkRouterCase, checkRouteTable } from "../support/router-conformance.ts";
import { hasRouterTables, readRouterCases, readRouteTables } from "../support/router-tables.ts";

const absent = "(skipped: the folder ../shared/router is not beside this checkout)";

describe.skipIf(!hasRouterTables)(
  `reference matcher: every case ${hasRouterTables ? "" : absent}`,
  () => {
    const cases = hasRouterTables ? readRouterCases() : [];
    it.each(cases.map((row) => [`${row.id} (${row.feature})`, row] as const))("%s", (_, row) => {
      checkRouterCase(createReferenceMatcher, row);
    });
  },
);

describe.skipIf(!hasRouterTables)(
  `reference matcher: every table ${hasRouterTables ? "" : absent}`,
  () => {
    const tables = hasRouterTables ? readRouteTables() : [];
    it.each(tables.map((table) => [table.name, table] as const))("%s", (_, table) => {
      checkRouteTable(createReferenceMatcher, table);
    });
  },
);

describe("reference matcher", () => {
  it("names its engine", () => {
    expect(createReferenceMatcher({ ignoreTrailingSlash: true }).engine).toBe("reference");
  });
});
