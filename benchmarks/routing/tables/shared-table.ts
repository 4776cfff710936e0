import { existsSync, readFileSync } from "node:fs";
import { origin, type RouteTable, type TableRequest } from "./route-table.ts";

/** The tables that are kept beside the repository, as data with computed answers. */
export const sharedTableNames = ["github-v3", "cloudflare", "static", "hono"] as const;

type Request =
  | readonly [method: string, path: string, route: number, params: Record<string, string>]
  | readonly [method: string, path: string, route: null, answer: { readonly status: number }];

interface TableFile {
  readonly routes: readonly (readonly [string, string])[];
  readonly requests: readonly Request[];
}

/**
 * Reads a table from the folder of shared router material.
 *
 * Its requests are the matching ones and the ones that no route answers; those whose path exists
 * under another method are left out, because most routers do not tell the two apart.
 * @returns undefined where the folder is absent, as in a clone on its own.
 */
export function loadSharedTable(name: string): RouteTable | undefined {
  const file = new URL(`../../../../shared/router/routes-${name}.json`, import.meta.url);
  if (!existsSync(file)) return undefined;
  const table = JSON.parse(readFileSync(file, "utf8")) as TableFile; // the shape its folder documents
  const requests: TableRequest[] = [];
  for (const [method, path, route, answer] of table.requests) {
    const url = origin + path;
    if (route !== null) requests.push({ method, url, route, params: answer });
    else if (answer.status === 404) requests.push({ method, url, route, params: {} });
  }
  return { name, routes: table.routes, requests };
}
