import createRouter, { type HTTPMethod } from "find-my-way";
import { parameterNames } from "../tables/route-table.ts";
import { type FilledRouter, type RouteRequest, type Subject, sumOfParameters } from "./subject.ts";

interface Target {
  readonly route: number;
  readonly names: readonly string[];
}

/**
 * Fastify hands it the path and query of Node's `req.url`. From a whole URL that is what follows the
 * origin, so one `indexOf` and one `slice` are added here; the query it takes off itself.
 */
function subject(name: string, compiled: boolean): Subject {
  return {
    name,
    fill(routes): FilledRouter {
      const router = createRouter();
      for (const [route, [method, pattern]] of routes.entries()) {
        const target: Target = { route, names: parameterNames(pattern) };
        router.on(method as HTTPMethod, pattern, () => {}, target); // refused if it is none
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
          const target = found.store as Target; // what `on` was given above
          const params = found.params as Record<string, string>; // none of the routes is optional
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
