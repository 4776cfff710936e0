import { EspalierError } from "../errors.ts";
import { findUnknownOption, type OptionNames } from "../util/option-names.ts";
import {
  type GroupOptions,
  isClass,
  isControllerClass,
  type RouteDocumentation,
  type RouteOptions,
} from "./route.ts";

const groupOptionNames: OptionNames<GroupOptions> = {
  middleware: true,
  validation: true,
  name: true,
};
const documentationNames: OptionNames<RouteDocumentation> = {
  summary: true,
  description: true,
  tags: true,
  deprecated: true,
  operationId: true,
  examples: true,
  fields: true,
  bodyTypes: true,
  responses: true,
};
const routeOptionNames: OptionNames<RouteOptions> = {
  ...groupOptionNames,
  bodyParser: true,
  bodyLimit: true,
  internal: true,
  bypassMiddleware: true,
  ...documentationNames,
};

/** RFC 9110, 5.6.2, a token, without lower-case letters: methods are case-sensitive. */
const METHOD = /^[A-Z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Refuses methods that could never match a request, so that a route is not silently dead.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_METHOD`
 */
export function checkMethods(methods: readonly string[], path: string): void {
  // A string would be taken for a list of one-letter methods.
  if (!Array.isArray(methods)) {
    throw badMethod(
      `match() of ${path} got ${describeValue(methods)}. Its methods are a list: ["GET"].`,
    );
  }
  if (methods.length === 0) {
    throw badMethod(`match() of ${path} got no method. Name at least one: match(["GET"], …).`);
  }
  for (const method of methods) {
    if (typeof method !== "string" || !METHOD.test(method)) {
      const upper = String(method).toUpperCase();
      const hint = METHOD.test(upper) ? ` Methods are case-sensitive: write "${upper}".` : "";
      throw badMethod(
        `match() of ${path} got ${JSON.stringify(method)}, which is no method.${hint}`,
      );
    }
    if (method === "TRACE" || method === "CONNECT") {
      throw badMethod(`match() of ${path} got ${method}, which is never routed.`);
    }
    if (method === "ALL") {
      throw badMethod(`match() of ${path} got ALL. Use all(${JSON.stringify(path)}, …).`);
    }
  }
}

/**
 * Refuses what cannot answer a request.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_HANDLER` that says what was given
 */
export function checkHandler(handler: unknown, method: string, pattern: string): void {
  if (typeof handler === "function" && (!isClass(handler) || isControllerClass(handler))) return;
  throw new EspalierError(
    "ERR_ROUTE_BAD_HANDLER",
    `${method} ${pattern} got ${describeHandler(handler)} as its handler. ` +
      "A handler is a class with a method handle(ctx), or a function (ctx) => Response.",
  );
}

/**
 * Refuses unknown and malformed options: a misspelt `middleware` would leave a route unguarded.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkRouteOptions(options: RouteOptions, route: string): void {
  checkOptionNames(options, routeOptionNames, route);
  checkSharedOptions(options, route);
  const { bodyLimit } = options;
  if (bodyLimit !== undefined && !(Number.isInteger(bodyLimit) && bodyLimit >= 0)) {
    throw badOption(route, `bodyLimit ${String(bodyLimit)}`, "It is a whole number of bytes.");
  }
  for (const name of ["bodyParser", "internal", "bypassMiddleware"] as const) {
    const flag: unknown = options[name];
    if (flag === undefined || typeof flag === "boolean") continue;
    throw badOption(route, `${name} ${JSON.stringify(flag)}`, "It is true or false.");
  }
}

/**
 * The same for a group, and that it has a callback.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkGroup(prefix: unknown, callback: unknown, options: unknown): void {
  const group = `group(${describeValue(prefix)})`;
  if (typeof prefix !== "string") throw badOption(group, "no prefix", "It is a string.");
  if (typeof callback !== "function") {
    throw badOption(group, "no callback", "Write group(prefix, (router) => { … }).");
  }
  checkOptionNames(options, groupOptionNames, group);
  checkSharedOptions(options as GroupOptions, group);
}

/** What is thrown for a path that is no string. */
export function badPath(path: unknown): EspalierError {
  const given = describeValue(path);
  return new EspalierError(
    "ERR_ROUTE_PATTERN",
    `A route got ${given} as its path. It is a string such as "/books/:id".`,
  );
}

/** The options that only describe a route. */
export function documentationOf(options: RouteOptions): RouteDocumentation {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(documentationNames, name)) given[name] = value;
  }
  return given;
}

function checkOptionNames<Options>(
  options: unknown,
  names: OptionNames<Options>,
  owner: string,
): void {
  const problem = findUnknownOption(options, names);
  if (problem !== undefined) {
    throw new EspalierError("ERR_ROUTE_BAD_OPTION", `${owner}: ${problem}`);
  }
}

function checkSharedOptions({ middleware, name }: GroupOptions, owner: string): void {
  if (name !== undefined && (typeof name !== "string" || name === "")) {
    throw badOption(owner, `the name ${JSON.stringify(name)}`, "A name is a non-empty string.");
  }
  if (middleware === undefined) return;
  if (!Array.isArray(middleware)) {
    const given = typeof middleware === "string" ? JSON.stringify(middleware) : "no list";
    throw badOption(owner, `${given} as middleware`, 'It is a list: middleware: ["auth"].');
  }
  const wrong = middleware.findIndex((entry: unknown) => !isMiddlewareReference(entry));
  if (wrong === -1) return;
  throw badOption(
    owner,
    `${describeValue(middleware[wrong])} as middleware ${wrong}`,
    "An entry is the name of a registered middleware, or a middleware itself.",
  );
}

function isMiddlewareReference(entry: unknown): boolean {
  if (typeof entry === "string") return entry.trim() !== "";
  return typeof entry === "function" || (typeof entry === "object" && entry !== null);
}

function describeHandler(handler: unknown): string {
  if (isClass(handler)) return `the class ${nameOf(handler)}, which has no method handle,`;
  if (handler === undefined) return "undefined (two files that import each other?)";
  const madeBy = typeof handler === "object" ? handler?.constructor : undefined;
  if (isControllerClass(madeBy)) return `an instance of ${nameOf(madeBy)}, not the class,`;
  return describeValue(handler);
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function nameOf(value: unknown): string {
  return (typeof value === "function" && value.name) || "(anonymous)";
}

function badOption(owner: string, what: string, wayOut: string): EspalierError {
  return new EspalierError("ERR_ROUTE_BAD_OPTION", `${owner} got ${what}. ${wayOut}`);
}

function badMethod(message: string): EspalierError {
  return new EspalierError("ERR_ROUTE_BAD_METHOD", message);
}
