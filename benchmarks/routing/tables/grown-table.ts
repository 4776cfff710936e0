import { origin, type RouteTable } from "./route-table.ts";

/** Maximum number of routes of a generated table. */
export type GrownSize = 100 | 1_000 | 10_000;

const requestCount = 100;

/**
 * Generates a table of a given size in which every path has the same depth and almost the same length,
 * so that sizes differ only in the number of routes.
 *
 * Each route is `/areaNN/collectionNN/:id/actionNN`; the fan-out is spread over the three levels.
 * Always has 100 requests, spread evenly over the routes.
 */
export function createGrownTable(size: GrownSize): RouteTable {
  const [areas, collections] = size === 100 ? [4, 5] : size === 1_000 ? [10, 10] : [20, 25];
  const routes = Array.from({ length: size }, (_, i): [string, string] => {
    const area = i % areas;
    const collection = Math.floor(i / areas) % collections;
    const action = Math.floor(i / areas / collections);
    return ["GET", `/area${two(area)}/collection${two(collection)}/:id/action${two(action)}`];
  });
  const requests = Array.from({ length: requestCount }, (_, i) => {
    const route = Math.floor((i * size) / requestCount + size / requestCount / 2) % size;
    const id = String(100_000 + i);
    const path = (routes[route]?.[1] ?? "").replace(":id", id);
    return { method: "GET", url: origin + path, route, params: { id } };
  });
  return { name: `grown-${size}`, routes, requests };
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
