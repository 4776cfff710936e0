import type { MiddlewareReference } from "../pipeline/registry.ts";
import type { RouteValidation } from "../validation/rules.ts";
import { badPath } from "./registration.ts";
import type { GroupOptions } from "./route.ts";
import type { RouteTable } from "./route-table.ts";

/** Options that routes inherit from their groups. */
export interface GroupScope {
  /** Starts with a slash and does not end with one; empty outside groups. */
  readonly prefix: string;
  readonly isGroup: boolean;
  /** Joined names of the groups; undefined when none has a name. */
  readonly name: string | undefined;
  /** True when the innermost group has a name, false when the name is inherited. */
  readonly hasOwnName: boolean;
  /** Outer group first. */
  readonly middleware: readonly MiddlewareReference[];
  /** Outer group first. */
  readonly validation: readonly RouteValidation[];
}

/** Parts that the router of a group shares with its parent. */
export interface SharedWithGroup {
  readonly table: RouteTable;
  readonly scope: GroupScope;
}

/** Creates the scope of routes outside groups. */
export function createRootScope(): GroupScope {
  return {
    prefix: "",
    isGroup: false,
    name: undefined,
    hasOwnName: false,
    middleware: [],
    validation: [],
  };
}

/** Creates the scope of a group inside `outer`. */
export function enterGroup(outer: GroupScope, prefix: string, options: GroupOptions): GroupScope {
  return {
    prefix: joinPattern(outer.prefix, prefix).replace(/\/+$/, ""),
    isGroup: true,
    name: options.name === undefined ? outer.name : joinRouteName(outer.name, options.name),
    hasOwnName: options.name !== undefined,
    middleware: [...outer.middleware, ...(options.middleware ?? [])],
    validation:
      options.validation === undefined
        ? outer.validation
        : [...outer.validation, options.validation],
  };
}

/**
 * Returns the pattern of a route in a scope. Inside a group the leading slash is optional, and `/` is the
 * group's own prefix.
 *
 * @throws EspalierError `ERR_ROUTE_PATTERN` for a path that is not a string
 */
export function patternInScope(scope: GroupScope, path: string): string {
  if (typeof path !== "string") throw badPath(path);
  if (scope.isGroup) return joinPattern(scope.prefix, path);
  return path === "*" ? "/*" : path;
}

/** Joins the names of groups and route with dots; returns undefined for a route without a name. */
export function joinRouteName(
  outer: string | undefined,
  name: string | undefined,
): string | undefined {
  return outer === undefined || name === undefined ? name : `${outer}.${name}`;
}

/** Joins two parts with exactly one slash. */
function joinPattern(prefix: string, path: string): string {
  if (path === "" || path === "/") return prefix === "" ? "/" : prefix;
  return path.startsWith("/") ? prefix + path : `${prefix}/${path}`;
}
