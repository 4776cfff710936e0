import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../tables/", import.meta.url));

/** One behaviour: routes, a request, and its expected result. */
export interface RouterCase {
  readonly id: string;
  readonly options?: { readonly ignoreTrailingSlash?: boolean };
  /** Method, pattern, and the name that `expect` uses. */
  readonly routes: readonly (readonly [method: string, pattern: string, name: string])[];
  readonly request: readonly [method: string, path: string | RepeatedPath];
  readonly expect: CaseExpectation;
}

interface RepeatedPath {
  readonly prefix: string;
  readonly repeat: string;
  readonly times: number;
  readonly suffix: string;
}

export interface CaseExpectation {
  readonly route?: string;
  readonly params?: Record<string, string>;
  readonly param_lengths_utf16?: Record<string, number>;
  readonly status?: number;
  readonly allow?: readonly string[];
  readonly error?: "duplicate" | "invalid-pattern";
  /** Name of the route whose registration fails. */
  readonly at?: string;
  readonly no_throw?: boolean;
}

/** The routes of an API, with requests and their expected results. */
export interface RouteTable {
  readonly name: string;
  readonly routes: readonly (readonly [method: string, pattern: string])[];
  readonly requests: readonly TableRequest[];
}

/** Method, path, index of the route or null, and the parameters or the status. */
export type TableRequest =
  | readonly [method: string, path: string, route: number, params: Record<string, string>]
  | readonly [
      method: string,
      path: string,
      route: null,
      outcome: { readonly status: number; readonly allow?: readonly string[] },
    ];

/** The files `routes-*.json`, as `test/tables/README.md` describes them. */
interface RoutesFile {
  readonly matched: readonly (readonly [
    pattern: string,
    methods: string,
    path: string,
    values: readonly string[],
  ])[];
  readonly unmatched: readonly (readonly [
    method: string,
    path: string,
    outcome: number | readonly string[],
  ])[];
}

/** Reads the cases of `routing-<table>.json`. */
export function readRouterCases(table: string): readonly RouterCase[] {
  return readJson<{ cases: RouterCase[] }>(`routing-${table}.json`).cases;
}

export function readRouteTables(): readonly RouteTable[] {
  const names = readdirSync(folder).flatMap((file) => /^routes-(.*)\.json$/.exec(file)?.[1] ?? []);
  return names.map(readRouteTable);
}

export function readRouteTable(name: string): RouteTable {
  const { matched, unmatched } = readJson<RoutesFile>(`routes-${name}.json`);
  const routes: (readonly [method: string, pattern: string])[] = [];
  const requests: TableRequest[] = [];
  for (const [pattern, methods, path, values] of matched) {
    const params = Object.fromEntries(
      namesOf(pattern).map((parameter, index) => [parameter, values[index] ?? ""]),
    );
    for (const method of methods.split(" ")) {
      const route = routes.push([method, pattern]) - 1;
      requests.push([method, path, route, params]);
    }
  }
  for (const [method, path, outcome] of unmatched) {
    const result =
      typeof outcome === "number" ? { status: outcome } : { status: 405, allow: outcome };
    requests.push([method, path, null, result]);
  }
  return { name, routes, requests };
}

/** The patterns of the tables have neither constraints nor escapes. */
function namesOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(/:([A-Za-z_$][\w$]*)|\*(\w*)$/g)].map(
    ([, parameter, wildcard]) => parameter ?? (wildcard || "*"),
  );
}

/** Returns the URL of a case's path; `?` and `#` are part of the path there, so a URL contains them escaped. */
export function urlOfPath(path: string | RepeatedPath): string {
  const text =
    typeof path === "string" ? path : path.prefix + path.repeat.repeat(path.times) + path.suffix;
  return `http://localhost${text.replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}

function readJson<Content>(name: string): Content {
  // The files are data of a known form; a wrong field shows as a failing row.
  return JSON.parse(readFileSync(folder + name, "utf8")) as Content;
}
