import { parameterNames } from "../tables/route-table.ts";
import { mostSpecificFirst } from "./most-specific-first.ts";
import {
  type FilledRouter,
  type RouteRequest,
  renamed,
  type Subject,
  sumOfParameters,
} from "./subject.ts";

/** The subset of URLPattern used here; TypeScript's libraries do not declare it yet. */
interface PathnamePattern {
  exec(input: { pathname: string }): {
    readonly pathname: { readonly groups: Record<string, string> };
  } | null;
}
type PathnamePatternClass = new (init: { pathname: string }) => PathnamePattern;

interface Target {
  readonly route: number;
  readonly method: string;
  readonly pattern: PathnamePattern;
  readonly names: readonly string[];
  readonly own: readonly string[];
}

/** The platform's URLPattern: a list of patterns, tried in order; values are decoded afterwards. */
export const urlPattern: Subject = {
  name: "URLPattern",
  linear: true,
  fill(routes): FilledRouter {
    const Pattern = (globalThis as { URLPattern?: PathnamePatternClass }).URLPattern;
    if (Pattern === undefined) throw new Error("this runtime has no URLPattern");
    const targets = mostSpecificFirst(routes).map((route): Target => {
      const [method, pattern] = routes[route] as readonly [string, string]; // an index of routes
      const names = parameterNames(pattern);
      const own = names.map((name) => (name === "*" ? "0" : name));
      return { route, method, pattern: new Pattern({ pathname: pattern }), names, own };
    });
    const find = (request: RouteRequest): [Target, Record<string, string>] | undefined => {
      const { url } = request;
      const start = url.indexOf("/", 8);
      const query = url.indexOf("?", start);
      const pathname = url.slice(start, query === -1 ? undefined : query);
      for (const target of targets) {
        if (target.method !== request.method) continue;
        const groups = target.pattern.exec({ pathname })?.pathname.groups;
        if (groups !== undefined) return [target, decoded(groups)];
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

function decoded(groups: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(groups)) {
    if (value.includes("%")) groups[name] = decodeURIComponent(value);
  }
  return groups;
}
