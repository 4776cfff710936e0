import { createWasmMatcher } from "../../../src/routing/matcher.ts";
import { parameterNames } from "../tables/route-table.ts";
import { type FilledRouter, type Subject, sumOfParameters } from "./subject.ts";

/** Espalier: the matcher receives the complete URL, and decodes parameters lazily. */
export function espalier(module: WebAssembly.Module): Subject {
  return {
    name: "Espalier",
    fill(routes): FilledRouter {
      const matcher = createWasmMatcher(module, { ignoreTrailingSlash: false });
      const names = routes.map(([, pattern]) => parameterNames(pattern));
      for (const [method, pattern] of routes) matcher.insert(method, pattern);
      return {
        answer(request) {
          const match = matcher.find(request.method, request.url);
          if (match.status !== 200) return 0;
          return sumOfParameters(match.route, match.params, names[match.route] as string[]); // one each
        },
        find(request) {
          const match = matcher.find(request.method, request.url);
          return match.status === 200 ? { route: match.route, params: match.params } : undefined;
        },
      };
    },
  };
}
