import { describe, expect, test } from "vitest";
import { text } from "../../src/http/responses.ts";
import * as production from "../../src/production/routing/registration.ts";
import * as development from "../../src/routing/registration.ts";
import type { RouteOptions } from "../../src/routing/route.ts";
import type { OptionOwner } from "../../src/util/options.ts";

type Checks = typeof development & typeof production;

/** Returns the code of the error that a check throws; undefined if it throws none. */
function codeOf(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
}

class Shelf {
  handle(): Response {
    return text("");
  }
}

/** Wrong arguments, as a program without types may pass them. */
const wrong = (value: unknown): never => value as never;

const methods = [["GET"], ["PURGE", "GET"], [], "GET", ["get"], ["TRACE"], ["ALL"], [5], ["A B"]];
const handlers = [() => text(""), Shelf, class {}, new Shelf(), undefined, null, 5, "text"];
const options = [
  {},
  { name: "books", middleware: ["auth", () => text("")], bodyLimit: 0, internal: true },
  { name: undefined, middleware: undefined, bodyLimit: undefined, responses: undefined },
  { summary: "Lists books", tags: ["books"], responses: { 404: "No such book." } },
  { body: { title: { type: "string" } } },
  { validation: { title: { type: "string" } } },
  { validation: {}, body: {} },
  { midleware: ["auth"] },
  { name: "" },
  { name: 5 },
  { middleware: "auth" },
  { middleware: [""] },
  { middleware: [undefined] },
  { bodyLimit: -1 },
  { bodyLimit: 1.5 },
  { bodyParser: "no" },
  { internal: 1 },
  { bypassMiddleware: null },
  { responses: null },
  { responses: ["No such book."] },
  { responses: { 604: "Unknown" } },
  null,
  [],
  "options",
];
const groups: readonly (readonly [prefix: unknown, callback: unknown, settings: unknown])[] = [
  ["/books", () => {}, {}],
  ["/books", () => {}, { name: "books", middleware: ["auth"], validation: {} }],
  [5, () => {}, {}],
  ["/books", undefined, {}],
  ["/books", () => {}, { bodyLimit: 5 }],
  ["/books", () => {}, { name: "" }],
  ["/books", () => {}, "options"],
];
const resources = [
  [{ index: Shelf }, "id"],
  [{}, "id"],
  [{ list: Shelf }, "id"],
  [{ index: Shelf }, "book-id"],
  [{ index: Shelf }, ""],
] as const;
const responses = [undefined, {}, { 200: "Found" }, { 20: "Found" }, [], null, "Found"];
const owner: OptionOwner = { code: "ERR_ROUTE_BAD_OPTION", name: "Controller.for()" };

/** Each argument of a check, and the check with it. */
const cases: readonly (readonly [name: string, (checks: Checks) => void])[] = [
  ...methods.map(
    (given) =>
      [
        `methods ${JSON.stringify(given)}`,
        (checks: Checks) => checks.checkMethods(wrong(given), "/"),
      ] as const,
  ),
  ...handlers.map(
    (given) =>
      [
        `the handler ${String(given)}`,
        (checks: Checks) => checks.checkHandler(given, "GET", "/"),
      ] as const,
  ),
  ...options.map(
    (given) =>
      [
        `the options ${JSON.stringify(given)}`,
        (checks: Checks) => checks.checkRouteOptions(given as RouteOptions, "GET /"),
      ] as const,
  ),
  ...groups.map(
    ([prefix, callback, settings]) =>
      [
        `the group ${JSON.stringify([prefix, typeof callback, settings])}`,
        (checks: Checks) => checks.checkGroup(prefix, callback, settings),
      ] as const,
  ),
  ...resources.map(
    ([given, param]) =>
      [
        `the resource of ${Object.keys(given)} and ${param}`,
        (checks: Checks) => checks.checkResource("/books", given, param),
      ] as const,
  ),
  ...responses.map(
    (given) =>
      [
        `the responses ${JSON.stringify(given)}`,
        (checks: Checks) => checks.checkResponseStatuses(owner, given),
      ] as const,
  ),
  ...[undefined, Promise.resolve(), 5].map(
    (given) =>
      [
        `a callback that returns ${String(given)}`,
        (checks: Checks) => checks.checkSynchronous("/books", given),
      ] as const,
  ),
];

describe("with the condition production, the router refuses the same", () => {
  test.each(cases)("%s", (_name, check) => {
    expect(codeOf(() => check(production as Checks))).toBe(
      codeOf(() => check(development as Checks)),
    );
  });

  test("half of these cases are refused", () => {
    const refused = cases.filter(
      ([, check]) => codeOf(() => check(production as Checks)) !== undefined,
    );
    expect(refused.length).toBeGreaterThan(cases.length / 2);
    expect(refused.length).toBeLessThan(cases.length);
  });

  test("a path that is not a string", () => {
    expect(production.badPath(5).code).toBe(development.badPath(5).code);
  });
});
