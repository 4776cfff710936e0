import type { Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { getPath, tryDecodeURIComponent } from "hono/utils/url";
import { parameterNames } from "../tables/route-table.ts";
import { mostSpecificFirst } from "./most-specific-first.ts";
import type { FilledRouter, RouteRequest, Subject } from "./subject.ts";

interface Target {
  readonly route: number;
  /** Parameter names in the table. */
  readonly names: readonly string[];
  /** Parameter names in Hono: its `*` does not capture, so a named parameter replaces it. */
  readonly own: readonly string[];
}

/** Parameters are read as by `c.req.param(name)`: looked up, and decoded if necessary. */
function subject(name: string, create: () => Router<Target>): Subject {
  return {
    name,
    fill(routes): FilledRouter {
      const router = create();
      for (const route of mostSpecificFirst(routes)) {
        const [method, pattern] = routes[route] as readonly [string, string]; // an index of routes
        const names = parameterNames(pattern);
        const own = names.map((parameter) => (parameter === "*" ? "rest" : parameter));
        router.add(method, pattern.replace(/\*$/, ":rest{.+}"), { route, names, own });
      }
      const match = (request: RouteRequest) =>
        router.match(request.method, getPath(request as Request)); // reads only the URL
      return {
        answer(request) {
          const [handlers, stash] = match(request);
          const first = handlers[0];
          if (first === undefined) return 0;
          const [target, indexes] = first;
          let sum = target.route + 1;
          for (const parameter of target.own) {
            const value = readParameter(indexes, stash, parameter);
            sum = Math.imul(sum, 31) + value.length + (value.charCodeAt(0) | 0);
          }
          return sum;
        },
        find(request) {
          const [handlers, stash] = match(request);
          const first = handlers[0];
          if (first === undefined) return undefined;
          const [target, indexes] = first;
          const params: Record<string, string> = Object.create(null);
          for (const [i, parameter] of target.own.entries()) {
            params[target.names[i] ?? parameter] = readParameter(indexes, stash, parameter);
          }
          return { route: target.route, params };
        },
      };
    },
  };
}

/** A match contains the values (TrieRouter), or indexes into a stash (RegExpRouter). */
function readParameter(
  indexes: Readonly<Record<string, string | number>>,
  stash: readonly string[] | undefined,
  name: string,
): string {
  const key = indexes[name];
  const value = stash ? stash[key as number] : (key as string); // same distinction as in Hono
  return tryDecodeURIComponent(value as string);
}

/** The router of `new Hono()`. */
export const honoDefault: Subject = subject(
  "Hono (default)",
  () => new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] }),
);
export const honoRegExp: Subject = subject("Hono RegExpRouter", () => new RegExpRouter());
export const honoTrie: Subject = subject("Hono TrieRouter", () => new TrieRouter());
