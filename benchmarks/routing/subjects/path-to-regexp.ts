import { match as createMatch, type MatchFunction } from "path-to-regexp";
import { parameterNames } from "../tables/route-table.ts";
import { mostSpecificFirst } from "./most-specific-first.ts";
import {
  type FilledRouter,
  type RouteRequest,
  renamed,
  type Subject,
  sumOfParameters,
} from "./subject.ts";

type Values = Partial<Record<string, string | string[]>>;

interface Target {
  readonly route: number;
  readonly method: string;
  readonly match: MatchFunction<Values>;
  readonly names: readonly string[];
  readonly own: readonly string[];
}

/**
 * Used as by Express and Koa: a list of routes, of which the first whose method and expression match
 * wins. It decodes values itself; a wildcard is a list of segments.
 */
export const pathToRegexp: Subject = {
  name: "path-to-regexp",
  linear: true,
  fill(routes): FilledRouter {
    const targets = mostSpecificFirst(routes).map((route): Target => {
      const [method, pattern] = routes[route] as readonly [string, string]; // an index of routes
      const names = parameterNames(pattern);
      const own = names.map((name) => (name === "*" ? "rest" : name));
      const match = createMatch<Values>(pattern.replace(/\*$/, "*rest"), {
        sensitive: true,
        trailing: false,
      });
      return { route, method, match, names, own };
    });
    const find = (request: RouteRequest): [Target, Record<string, string>] | undefined => {
      const { url } = request;
      const start = url.indexOf("/", 8);
      const query = url.indexOf("?", start);
      const path = url.slice(start, query === -1 ? undefined : query);
      for (const target of targets) {
        if (target.method !== request.method) continue;
        const found = target.match(path);
        if (found !== false) return [target, joined(found.params)];
      }
      return undefined;
    };
    return {
      answer(request) {
        const found = find(request);
        return found === undefined ? 0 : sumOfParameters(found[0].route, found[1], found[0].own);
      },
      find(request) {
        const found = find(request);
        if (found === undefined) return undefined;
        const [target, params] = found;
        return { route: target.route, params: renamed(params, target.own, target.names) };
      },
    };
  },
};

function joined(values: Values): Record<string, string> {
  if (Array.isArray(values.rest)) values.rest = values.rest.join("/");
  return values as Record<string, string>; // `rest` is the only wildcard a table has
}
