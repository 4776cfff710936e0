import { addRoute, createRouter, findRoute, type MatchedRoute, type RouterContext } from "rou3";
import { compileRouter } from "rou3/compiler";
import { parameterNames } from "../tables/route-table.ts";
import {
  type FilledRouter,
  type RouteRequest,
  renamed,
  type Subject,
  sumOfParameters,
} from "./subject.ts";

/** Data of a route; plain, so that a compiled router can be serialised. */
export interface Rou3Target {
  readonly route: number;
  /** Parameter names in the table. */
  readonly names: readonly string[];
  /** Parameter names in rou3: a `*` is numbered. */
  readonly own: readonly string[];
}

/** A lookup compiled by rou3. */
export type Rou3Lookup = (method: string, path: string) => MatchedRoute<Rou3Target> | undefined;

const none: Readonly<Record<string, string>> = Object.freeze({});

/** Creates a rou3 router with a table's routes. */
export function createRou3(
  routes: readonly (readonly [method: string, pattern: string])[],
): RouterContext<Rou3Target> {
  const router = createRouter<Rou3Target>();
  for (const [route, [method, pattern]] of routes.entries()) {
    const names = parameterNames(pattern);
    const own = names.map((name) => (name === "*" ? "0" : name));
    addRoute(router, method, pattern, { route, names, own });
  }
  return router;
}

/**
 * Used as by h3, with the path found by two `indexOf`, as its server reads `pathname` without parsing
 * the URL; a value is decoded if it has an escape (`decode: true` in h3).
 */
function rou3Answers(lookup: Rou3Lookup): FilledRouter {
  const match = (request: RouteRequest) => {
    const { url } = request;
    const start = url.indexOf("/", 8);
    const query = url.indexOf("?", start);
    const path = url.slice(start, query === -1 ? undefined : query);
    const found = lookup(request.method, path);
    if (found?.params !== undefined) decodeAll(found.params, found.data.own);
    return found;
  };
  return {
    answer(request) {
      const found = match(request);
      if (found === undefined) return 0;
      return sumOfParameters(found.data.route, found.params ?? none, found.data.own);
    },
    find(request) {
      const found = match(request);
      if (found === undefined) return undefined;
      const { route, own, names } = found.data;
      return { route, params: renamed(found.params ?? none, own, names) };
    },
  };
}

function decodeAll(params: Record<string, string>, names: readonly string[]): void {
  for (const name of names) {
    const value = params[name];
    if (value?.includes("%")) params[name] = decodeURIComponent(value);
  }
}

export const rou3: Subject = {
  name: "rou3",
  fill(routes): FilledRouter {
    const router = createRou3(routes);
    return rou3Answers((method, path) => findRoute(router, method, path));
  },
};

/** Compiles at run time with `new Function`; see `rou3Precompiled` for runtimes that forbid it. */
export const rou3Compiled: Subject = {
  name: "rou3 (compiled)",
  fill(routes): FilledRouter {
    return rou3Answers(compileRouter(createRou3(routes)));
  },
};

/** The same for a runtime without `new Function`: a lookup compiled at build time. */
export function rou3Precompiled(lookup: Rou3Lookup): Subject {
  return { name: rou3Compiled.name, fill: () => rou3Answers(lookup) };
}
