import { describe, expect, it } from "vitest";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import {
  checkRouterCase,
  checkRouteTable,
  type MatcherFactory,
} from "../support/router-conformance.ts";
import { readRouterCases, readRouteTables } from "../support/router-tables.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

// `cargo test` runs the same files; test/tables/README.md describes them.
const caseTables = ["cases", "constraints", "encoding", "limits", "names", "walk"].map(
  (name) => [name, readRouterCases(name)] as const,
);
const routeTables = readRouteTables();

const matchers: readonly (readonly [engine: string, create: MatcherFactory])[] = [
  ["wasm", wasmMatcher],
  ["reference", createReferenceMatcher],
];

it("has the complete tables", () => {
  expect(Object.fromEntries(caseTables.map(([name, cases]) => [name, cases.length]))).toEqual({
    cases: 947,
    constraints: 36,
    encoding: 31,
    limits: 25,
    names: 20,
    walk: 64,
  });
  expect(routeTables).toHaveLength(12);
  expect(routeTables.reduce((count, { routes }) => count + routes.length, 0)).toBe(5387);
  expect(routeTables.reduce((count, { requests }) => count + requests.length, 0)).toBe(5810);
});

describe.each(matchers)("%s matcher", (_engine, createMatcher) => {
  describe.each(caseTables)("%s", (_table, cases) => {
    it.each(cases.map((row) => [row.id, row] as const))("%s", (_id, row) => {
      checkRouterCase(createMatcher, row);
    });
  });

  it.each(routeTables.map((table) => [table.name, table] as const))(
    "finds the routes of %s",
    (_name, table) => {
      checkRouteTable(createMatcher, table);
    },
  );
});
