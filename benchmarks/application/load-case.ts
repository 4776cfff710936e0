import { origin, parameterNames, type RouteTable } from "../routing/tables/route-table.ts";
import { loadSharedTable } from "../routing/tables/shared-table.ts";
import {
  type ApplicationCase,
  type ApplicationName,
  type Exchange,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
} from "./applications.ts";
import { createToken } from "./create-token.ts";
import { createMadeTable } from "./made-table.ts";

const book = { title: "A Room of One's Own", pages: 112, tags: ["essay", "1929"] };

/** Returns the requests of an application, and its routes if they are a table. */
export function loadCase(application: ApplicationName): ApplicationCase {
  if (application === "routes-300") return loadTableCase();
  return { application, routes: [], ...exchanges[application]() };
}

type Exchanges = Pick<ApplicationCase, "timed" | "checked">;

const exchanges: Record<Exclude<ApplicationName, "routes-300">, () => Exchanges> = {
  hello: () => ({ timed: [get("/", [200], greeting)], checked: [] }),
  parameter: () => ({
    timed: [get("/users/42?page=3", [200], JSON.stringify({ id: "42", page: "3" }))],
    checked: [get("/users/a%20b?page=%C3%A9", [200], JSON.stringify({ id: "a b", page: "é" }))],
  }),
  echo: () => ({
    timed: [post(book, [200], JSON.stringify(book))],
    checked: [
      post({ ...book, title: 7 }, [400, 422]),
      post({ ...book, pages: 0 }, [400, 422]),
      post({ ...book, pages: 1.5 }, [400, 422]),
      post({ ...book, tags: ["essay", 1929] }, [400, 422]),
      post({ pages: 112, tags: [] }, [400, 422]),
    ],
  }),
  "ten-middleware": () => {
    const headers = Object.fromEntries(tenHeaders.map((name, i) => [name, String(i)]));
    return { timed: [get("/", [200], greeting, {}, headers)], checked: [] };
  },
  auth: () => ({
    timed: [get("/loans", [200], JSON.stringify({ by: "m7" }), bearer([requiredRole]))],
    checked: [
      get("/loans", [401]),
      get("/loans", [401], undefined, {
        authorization: `${bearer([requiredRole])["authorization"]}x`,
      }),
      get("/loans", [403], undefined, bearer(["reader"])),
    ],
  }),
  "not-found": () => ({ timed: [get("/no/such/page", [404])], checked: [] }),
  error: () => ({ timed: [get("/", [500])], checked: [] }),
};

/** Returns the routes of GitHub's API. */
function loadTableCase(): ApplicationCase {
  return toCase(loadSharedTable("github-v3"));
}

/** Returns an application with a generated table of any size. */
export function loadMadeCase(size: number): ApplicationCase {
  return toCase(createMadeTable(size));
}

function toCase(table: RouteTable): ApplicationCase {
  const routes = table.routes.map(([method, pattern]) => ({
    method,
    pattern,
    names: parameterNames(pattern),
  }));
  const timed = table.requests.flatMap(({ method, url, route, params }): Exchange[] => {
    if (route === null) return [];
    const body = tableAnswer(route, Object.values(params));
    const expected = { statuses: [200], body, headers: {} };
    return [{ method, url, headers: {}, body: undefined, expected }];
  });
  return { application: "routes-300", routes, timed, checked: [] };
}

function get(
  path: string,
  statuses: readonly number[],
  body?: string,
  headers: Readonly<Record<string, string>> = {},
  expectedHeaders: Readonly<Record<string, string>> = {},
): Exchange {
  const expected = { statuses, body, headers: expectedHeaders };
  return { method: "GET", url: origin + path, headers, body: undefined, expected };
}

function post(sent: object, statuses: readonly number[], body?: string): Exchange {
  const expected = { statuses, body, headers: {} };
  const url = `${origin}/books`;
  const text = JSON.stringify(sent);
  // As from a server: clients that send JSON declare its length.
  const headers = { "content-type": "application/json", "content-length": String(text.length) };
  return { method: "POST", url, headers, body: text, expected };
}

function bearer(roles: readonly string[]): { readonly authorization: string } {
  return { authorization: `Bearer ${createToken(roles)}` };
}
