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

/** What a rou3 route carries; plain data, so that a compiled router can be written out as text. */
export interface Rou3Target {
  readonly route: number;
  /** The names as the table has them. */
  readonly names: readonly string[];
  /** The names as rou3 has them: a `*` is numbered. */
  readonly own: readonly string[];
}

/** A lookup that rou3 compiled. */
export type Rou3Lookup = (method: string, path: string) => MatchedRoute<Rou3Target> | undefined;

const none: Readonly<Record<string, string>> = Object.freeze({});

/** A rou3 router with a table's routes. */
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
 * As h3 uses it, with the path taken by two `indexOf`, which is how its server reads `pathname`
 * where it does not parse the URL; a value is decoded if it has an escape (`decode: true` in h3).
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

/** Compiles at run time, by `new Function`; where that is forbidden, see `rou3Precompiled`. */
export const rou3Compiled: Subject = {
  name: "rou3 (compiled)",
  fill(routes): FilledRouter {
    return rou3Answers(compileRouter(createRou3(routes)));
  },
};

/** The same for a runtime without `new Function`: a lookup that was compiled at build time. */
export function rou3Precompiled(lookup: Rou3Lookup): Subject {
  return { name: rou3Compiled.name, fill: () => rou3Answers(lookup) };
}
