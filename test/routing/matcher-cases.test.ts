import { describe, it } from "vitest";
import { checkRouterCase, checkRouteTable } from "../support/router-conformance.ts";
import { hasRouterTables, readRouterCases, readRouteTables } from "../support/router-tables.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const absent = hasRouterTables
  ? ""
  : " (skipped: the folder ../shared/router is not beside this checkout)";

describe.skipIf(!hasRouterTables)(`wasm matcher: every case${absent}`, () => {
  const cases = hasRouterTables ? readRouterCases() : [];
  it.each(cases.map((row) => [`${row.id} (${row.feature})`, row] as const))("%s", (_, row) => {
    checkRouterCase(wasmMatcher, row);
  });
});

describe.skipIf(!hasRouterTables)(`wasm matcher: every table${absent}`, () => {
  const tables = hasRouterTables ? readRouteTables() : [];
  it.each(tables.map((table) => [table.name, table] as const))("%s", (_, table) => {
    checkRouteTable(wasmMatcher, table);
  });
});
