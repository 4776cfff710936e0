import { origin, type RouteTable } from "../routing/tables/route-table.ts";

const requestCount = 100;

/**
 * Generates a table of any size: every path has four segments and one parameter, so that sizes differ
 * only in the number of routes. Always has 100 requests.
 */
export function createMadeTable(size: number): RouteTable {
  const areas = Math.max(1, Math.round(Math.sqrt(size)));
  const routes = Array.from({ length: size }, (_, i): [string, string] => {
    const area = String(i % areas).padStart(3, "0");
    const leaf = String(Math.floor(i / areas)).padStart(3, "0");
    return ["GET", `/api/area${area}/:id/leaf${leaf}`];
  });
  const requests = Array.from({ length: requestCount }, (_, i) => {
    const route = Math.floor((i * size) / requestCount) % size;
    const id = String(100_000 + i);
    const path = (routes[route]?.[1] ?? "").replace(":id", id);
    return { method: "GET", url: origin + path, route, params: { id } };
  });
  return { name: `made-${size}`, routes, requests };
}
