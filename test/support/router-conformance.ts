import { expect } from "vitest";
import { pathLimit } from "../../src/routing/request-path.ts";
import {
  type MatcherOptions,
  PatternError,
  type RouteMatcher,
} from "../../src/routing/route-match.ts";
import { type RouterCase, type RouteTable, urlOfPath } from "./router-tables.ts";

export type MatcherFactory = (options: MatcherOptions) => RouteMatcher;

/** Runs one case on a matcher, through both of its searches. */
export function checkRouterCase(createMatcher: MatcherFactory, row: RouterCase): void {
  const matcher = createMatcher({
    ignoreTrailingSlash: row.options?.ignoreTrailingSlash === true,
  });
  const [method, path] = row.request;
  const url = urlOfPath(path);

  for (const [routeMethod, pattern, name] of row.routes) {
    if (row.expect.at !== name) {
      matcher.insert(routeMethod, pattern);
      continue;
    }
    const error = thrownBy(() => matcher.insert(routeMethod, pattern));
    expect(error).toBeInstanceOf(PatternError);
    expect(error).toMatchObject({ reason: row.expect.error });
    return;
  }

  const match = matcher.find(method, url);
  const name = row.routes[match.route]?.[2];
  if (row.expect.no_throw === true) return;
  if (new URL(url).pathname.length > pathLimit) {
    expect(match.status).toBe(414);
  } else if (row.expect.status !== undefined) {
    const expected = { status: row.expect.status, allow: row.expect.allow ?? [] };
    expect({ status: match.status, allow: match.allow }).toEqual(expected);
    expect(matcher.allowedMethods(url)).toEqual(
      expected.status === 400 ? ["GET", "HEAD"] : expected.allow,
    );
  } else if (row.expect.params !== undefined) {
    expect({ route: name, params: Object.entries(match.params) }).toEqual({
      route: row.expect.route,
      params: Object.entries(row.expect.params),
    });
    expect(matcher.allowedMethods(url)).not.toEqual([]);
  } else {
    const lengths = Object.entries(match.params).map(([key, value]) => [key, value.length]);
    expect(Object.fromEntries(lengths)).toEqual(row.expect.param_lengths_utf16);
  }
}

/** Registers the routes of a table and checks the result of each request. */
export function checkRouteTable(createMatcher: MatcherFactory, table: RouteTable): void {
  const matcher = createMatcher({ ignoreTrailingSlash: false });
  for (const [method, pattern] of table.routes) matcher.insert(method, pattern);

  for (const [method, path, route, outcome] of table.requests) {
    const match = matcher.find(method, urlOfPath(path));
    const found = { request: `${method} ${path}`, status: match.status, route: match.route };
    if (route === null) {
      expect({ ...found, allow: match.allow }).toEqual({
        ...found,
        route: -1,
        status: outcome.status,
        allow: outcome.allow ?? [],
      });
    } else {
      expect({ ...found, params: Object.entries(match.params) }).toEqual({
        ...found,
        status: 200,
        route,
        params: Object.entries(outcome),
      });
    }
  }
}

function thrownBy(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
