import type { RouteDescription, Router } from "espalier";
import { curlLine } from "./curl-line.ts";
import { type Sample, samples } from "./samples.ts";

/** A route as the page shows it. */
export interface ShownRoute {
  readonly method: string;
  readonly pattern: string;
  readonly title: string;
  /** A path, with its query, that the route answers. */
  readonly path: string;
  readonly curl: string;
  /** Whether only somebody who is logged in may ask. */
  readonly isGuarded: boolean;
}

/** The routes by what they are about, in the order they were registered. */
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

/** `Books` for `/api/v1/books/:id`, and `Pages` for what is outside of the API. */
function subjectOf(pattern: string): string {
  const subject = /^\/api\/v1\/([a-z])([a-z-]*)/.exec(pattern);
  return subject === null
    ? "Pages"
    : `${subject[1]?.toUpperCase()}${subject[2]?.replace("-", " ")}`;
}
