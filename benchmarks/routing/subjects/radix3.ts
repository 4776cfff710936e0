import { createRouter } from "radix3";
import { parameterNames } from "../tables/route-table.ts";
import {
  type FilledRouter,
  type RouteRequest,
  renamed,
  type Subject,
  sumOfParameters,
} from "./subject.ts";

interface Target {
  readonly route: number;
  readonly names: readonly string[];
  readonly own: readonly string[];
}

type Handlers = { readonly handlers: Record<string, Target> };

const none: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Used as by h3 1: it does not support methods, so each path maps methods to routes, and the query is
 * removed first. A value is decoded if it has an escape.
 */
export const radix3: Subject = {
  name: "radix3",
  fill(routes): FilledRouter {
    const router = createRouter();
    const byPath = new Map<string, Handlers>();
    for (const [route, [method, pattern]] of routes.entries()) {
      const names = parameterNames(pattern);
      const own = names.map((name) => (name === "*" ? "_" : name));
      const path = pattern.replace(/\*$/, "**");
      const entry = byPath.get(path) ?? { handlers: Object.create(null) };
      entry.handlers[method] = { route, names, own };
      if (!byPath.has(path)) router.insert(path, entry);
      byPath.set(path, entry);
    }
    const match = (request: RouteRequest) => {
      const { url } = request;
      const start = url.indexOf("/", 8);
      const query = url.indexOf("?", start);
      return router.lookup(url.slice(start, query === -1 ? undefined : query));
    };
    const read = (params: Readonly<Record<string, string>>, target: Target) => {
      for (const name of target.own) {
        const value = params[name];
        if (value?.includes("%"))
          (params as Record<string, string>)[name] = decodeURIComponent(value);
      }
      return params;
    };
    return {
      answer(request) {
        const found = match(request);
        const target = (found as Handlers | null)?.handlers[request.method]; // what was inserted
        if (found === null || target === undefined) return 0;
        return sumOfParameters(target.route, read(found.params ?? none, target), target.own);
      },
      find(request) {
        const found = match(request);
        const target = (found as Handlers | null)?.handlers[request.method]; // what was inserted
        if (found === null || target === undefined) return undefined;
        const params = read(found.params ?? none, target);
        return { route: target.route, params: renamed(params, target.own, target.names) };
      },
    };
  },
};
