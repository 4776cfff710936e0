import createRouter, { type HTTPMethod } from "find-my-way";
import { parameterNames } from "../tables/route-table.ts";
import { type FilledRouter, type RouteRequest, type Subject, sumOfParameters } from "./subject.ts";

interface Target {
  readonly route: number;
  readonly names: readonly string[];
}

/**
 * Fastify passes it the path and query of Node's `req.url`. They are cut from the complete URL with one
 * `indexOf` and one `slice`; find-my-way removes the query itself.
 */
function subject(name: string, compiled: boolean): Subject {
  return {
    name,
    fill(routes): FilledRouter {
      const router = createRouter();
      for (const [route, [method, pattern]] of routes.entries()) {
        const target: Target = { route, names: parameterNames(pattern) };
        router.on(method as HTTPMethod, pattern, () => {}, target); // throws for an unknown method
      }
      if (compiled) router.compile();
      const match = (request: RouteRequest) => {
        const { url } = request;
        return router.find(request.method as HTTPMethod, url.slice(url.indexOf("/", 8)));
      };
      return {
        answer(request) {
          const found = match(request);
          if (found === null) return 0;
          const target = found.store as Target; // passed to `on` above
          const params = found.params as Record<string, string>; // no optional parameters
          return sumOfParameters(target.route, params, target.names);
        },
        find(request) {
          const found = match(request);
          if (found === null) return undefined;
          const params = found.params as Record<string, string>;
          return { route: (found.store as Target).route, params };
        },
      };
    },
  };
}

export const findMyWay: Subject = subject("find-my-way", false);
export const findMyWayCompiled: Subject = subject("find-my-way (compiled)", true);
