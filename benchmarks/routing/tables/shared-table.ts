import { readRouteTable } from "../../../test/support/router-tables.ts";
import { origin, type RouteTable, type TableRequest } from "./route-table.ts";

/** Measured tables of `test/tables`. */
export const sharedTableNames = ["github-v3", "cloudflare", "static", "hono"] as const;

/**
 * Reads a table of `test/tables`.
 *
 * Its requests are those that match a route and those that no route matches. Requests of a known path with
 * an unknown method are left out, because most routers do not distinguish the two.
 */
export function loadSharedTable(name: string): RouteTable {
  const table = readRouteTable(name);
  const requests: TableRequest[] = [];
  for (const [method, path, route, result] of table.requests) {
    const url = origin + path;
    if (route !== null) requests.push({ method, url, route, params: result });
    else if (result.status === 404) requests.push({ method, url, route, params: {} });
  }
  return { name, routes: table.routes, requests };
}
