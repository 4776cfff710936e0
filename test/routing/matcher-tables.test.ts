import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { checkRouterCase } from "../support/router-conformance.ts";
import type { RouterCase } from "../support/router-tables.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const tables = ["walk", "encoding", "limits", "names", "constraints"];

/** The tables of this repository; `cargo test` reads them as well. */
function readCases(table: string): readonly RouterCase[] {
  const file = new URL(`../tables/routing-${table}.json`, import.meta.url);
  // The files are data of a known form; a wrong field shows as a failing row.
  return (JSON.parse(readFileSync(file, "utf8")) as { cases: RouterCase[] }).cases;
}

describe.each(tables)("wasm matcher: %s", (table) => {
  it.each(readCases(table).map((row) => [row.id, row] as const))("%s", (_, row) => {
    checkRouterCase(wasmMatcher, row);
  });
});
