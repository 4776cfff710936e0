import type { RouteDescription, Router } from "espalier";
import { curlLine } from "./curl-line.ts";
import { type Sample, samples } from "./samples.ts";

/** A route as shown on the page. */
export interface ShownRoute {
  readonly method: string;
  readonly pattern: string;
  readonly title: string;
  /** Example path, with its query. */
  readonly path: string;
  readonly curl: string;
  /** True if the route requires authentication. */
  readonly isGuarded: boolean;
}

/** Groups the routes by resource, in the order of registration. */
export function listRoutes(router: Router, origin: string): ReadonlyMap<string, ShownRoute[]> {
  const groups = new Map<string, ShownRoute[]>();
  for (const route of router.routes()) {
    const sample = route.name === undefined ? undefined : samples.get(route.name);
    if (route.name === undefined || sample === undefined) continue;
    const shown = showRoute(router, route.name, route, sample, origin);
    const group = subjectOf(route.pattern);
    groups.set(group, [...(groups.get(group) ?? []), shown]);
  }
  return groups;
}

function showRoute(
  router: Router,
  name: string,
  { method, pattern, middleware }: RouteDescription,
  sample: Sample,
  origin: string,
): ShownRoute {
  const path = router.url(name, sample.params, sample.query);
  const isGuarded = middleware.includes("auth");
  const curl = curlLine(method, origin + path, sample, isGuarded);
  return { method, pattern, title: sample.title, path, curl, isGuarded };
}

/** Returns `Books` for `/api/v1/books/:id`, and `Pages` for paths outside the API. */
function subjectOf(pattern: string): string {
  const subject = /^\/api\/v1\/([a-z])([a-z-]*)/.exec(pattern);
  return subject === null
    ? "Pages"
    : `${subject[1]?.toUpperCase()}${subject[2]?.replace("-", " ")}`;
}
