import decode from "fast-decode-uri-component";
import { Memoirist } from "memoirist";
import { parameterNames } from "../tables/route-table.ts";
import { type FilledRouter, type RouteRequest, type Subject, sumOfParameters } from "./subject.ts";

interface Target {
  readonly route: number;
  readonly names: readonly string[];
}

/**
 * Used as by Elysia: with the same decoder for every parameter, and the path cut from the first slash
 * after the eleventh character to the question mark. (Elysia matches routes without parameters in a
 * generated `switch`; here memoirist matches them as well.)
 */
export const memoirist: Subject = {
  name: "memoirist",
  fill(routes): FilledRouter {
    const router = new Memoirist<Target>({ onParam: (value) => decode(value) ?? value });
    for (const [route, [method, pattern]] of routes.entries()) {
      router.add(method, pattern, { route, names: parameterNames(pattern) });
    }
    const match = (request: RouteRequest) => {
      const { url } = request;
      const start = url.indexOf("/", 11);
      const query = url.indexOf("?", start + 1);
      return router.find(request.method, url.substring(start, query === -1 ? undefined : query));
    };
    return {
      answer(request) {
        const found = match(request);
        if (found === null) return 0;
        return sumOfParameters(found.store.route, found.params, found.store.names);
      },
      find(request) {
        const found = match(request);
        return found === null ? undefined : { route: found.store.route, params: found.params };
      },
    };
  },
};
