import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of router cases and route tables beside the repository; some checkouts have none. */
const folder = fileURLToPath(new URL("../../../shared/router/", import.meta.url));

export const hasRouterTables: boolean = existsSync(folder);

/** One behaviour: routes, a request, and what must come out. */
export interface RouterCase {
  readonly id: string;
  readonly feature: string;
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

/** One table of real routes with requests and their computed answers. */
export interface RouteTable {
  readonly name: string;
  readonly routes: readonly (readonly [method: string, pattern: string])[];
  readonly requests: readonly TableRequest[];
}

/** Method, path, route index or null, and the parameters or the status. */
export type TableRequest = readonly [
  method: string,
  path: string,
  route: number | null,
  outcome: Record<string, string> | { readonly status: number; readonly allow?: readonly string[] },
];

export function readRouterCases(): readonly RouterCase[] {
  return readJson<{ cases: RouterCase[] }>("cases.json").cases;
}

export function readRouteTables(): readonly RouteTable[] {
  const names = readdirSync(folder).filter((name) => /^routes-.*\.json$/.test(name));
  return names.map((name) => readJson<RouteTable>(name));
}

/** The URL whose path is the one of a case: a query mark there is text, so it travels encoded. */
export function urlOfPath(path: string | RepeatedPath): string {
  const text =
    typeof path === "string" ? path : path.prefix + path.repeat.repeat(path.times) + path.suffix;
  return `http://localhost${text.replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}

function readJson<Content>(name: string): Content {
  // The files are data of a known form; a wrong field shows as a failing row.
  return JSON.parse(readFileSync(folder + name, "utf8")) as Content;
}
