import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import { ignoreRejection } from "../util/ignore.ts";
import { isClass } from "../util/is-class.ts";
import { isThenable } from "../util/is-thenable.ts";
import { nearestNames } from "../util/nearest-names.ts";
import { badOption, checkInteger, checkOptionNames, type OptionOwner } from "../util/options.ts";
import { pickSources } from "../validation/pick-sources.ts";
import { groupOptionNames, routeOptionNames } from "./option-names.ts";
import { resourceActions } from "./resource.ts";
import { type GroupOptions, isControllerClass, type RouteOptions } from "./route.ts";

/** A token without lower-case letters (RFC 9110, 5.6.2): methods are case-sensitive. */
const methodPattern = /^[A-Z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Refuses methods that could never match a request, so that a route is not silently unreachable.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_METHOD`
 */
export function checkMethods(methods: readonly string[], path: string): void {
  // Spreading a string would yield one-letter methods.
  if (!Array.isArray(methods)) {
    throw badMethod(
      `The methods of match() of ${path} must be a list such as ["GET"], got ${describe(methods)}.`,
    );
  }
  if (methods.length === 0) {
    throw badMethod(
      `The methods of match() of ${path} must have at least one entry, such as ["GET"].`,
    );
  }
  for (const method of methods) {
    if (typeof method !== "string" || !methodPattern.test(method)) {
      const upper = String(method).toUpperCase();
      const hint = methodPattern.test(upper)
        ? ` Methods are case-sensitive: write "${upper}".`
        : "";
      throw badMethod(
        `A method of match() of ${path} must be an HTTP method, got ${describe(method)}.${hint}`,
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
 * Refuses a handler that is not a function or a controller class.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_HANDLER` with the value that was given
 */
export function checkHandler(handler: unknown, method: string, pattern: string): void {
  if (typeof handler === "function" && (!isClass(handler) || isControllerClass(handler))) return;
  throw new EspalierError(
    "ERR_ROUTE_BAD_HANDLER",
    `The handler of ${method} ${pattern} must be a class with a method handle(ctx) or a function ` +
      `(ctx) => Response, got ${describeHandler(handler)}.`,
  );
}

/**
 * Refuses unknown and invalid options: a misspelt `middleware` would leave a route unprotected.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkRouteOptions(options: RouteOptions, route: string): void {
  const owner = ownerOf(route);
  checkOptionNames(owner, options, routeOptionNames);
  checkSharedOptions(options, owner);
  for (const [name, value] of Object.entries(options)) {
    // Rules that are a promise would have no fields, and responses no status.
    if (value instanceof Promise) throw badOption(owner, name, value, "awaited first");
  }
  const source = pickSources(options);
  // The result has one shape: either flat or grouped by source.
  if (source !== undefined && options.validation !== undefined) {
    const expected = `omitted if the route names its sources (${Object.keys(source).join(", ")})`;
    throw badOption(owner, "validation", options.validation, expected);
  }
  checkResponseStatuses(owner, options.responses);
  if (options.bodyLimit !== undefined) checkInteger(owner, "bodyLimit", options.bodyLimit, 0);
  for (const name of ["bodyParser", "internal", "bypassMiddleware"] as const) {
    const flag: unknown = options[name];
    if (flag === undefined || typeof flag === "boolean") continue;
    throw badOption(owner, name, flag, "a boolean");
  }
}

/**
 * Refuses documented responses that are not listed by status: the OpenAPI document would not be valid.
 *
 * @throws EspalierError with the owner's code
 */
export function checkResponseStatuses(owner: OptionOwner, responses: unknown): void {
  if (responses === undefined) return;
  if (typeof responses !== "object" || responses === null || Array.isArray(responses)) {
    throw badOption(owner, "responses", responses, 'an object such as { 404: "No such book." }');
  }
  const wrong = Object.keys(responses).find((status) => !/^[1-5]\d\d$/.test(status));
  if (wrong === undefined) return;
  throw new EspalierError(
    owner.code,
    `The keys of the option "responses" of ${owner.name} must be statuses from 100 to 599, got ${describe(wrong)}.`,
  );
}

/**
 * Validates the options of a group, and that it has a callback.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkGroup(prefix: unknown, callback: unknown, options: unknown): void {
  if (typeof prefix !== "string")
    throw badGroup(`The prefix of group() must be a string, got ${describe(prefix)}.`);
  const owner = ownerOf(`group(${describe(prefix)})`);
  if (typeof callback !== "function") {
    const got = describe(callback);
    throw badGroup(
      `The callback of ${owner.name} must be a function (router) => { … }, got ${got}.`,
    );
  }
  checkOptionNames(owner, options, groupOptionNames);
  checkSharedOptions(options as GroupOptions, owner);
}

/**
 * Refuses the promise of an async callback of a group: routes registered after an `await` might be missing at boot.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkSynchronous(prefix: string, result: unknown): void {
  if (!isThenable(result)) return;
  // The promise is discarded: without this handler, its rejection would end the process.
  result.then(undefined, () => {});
  throw badGroup(
    `The callback of group(${describe(prefix)}) must not be async. Await before calling group().`,
  );
}

/**
 * Refuses unknown actions, a resource without actions, and an invalid parameter name.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkResource(path: string, handlers: object, param: string): void {
  // A promise has no action.
  ignoreRejection(handlers);
  const known: readonly string[] = resourceActions(param).map(({ action }) => action);
  const given = Object.keys(handlers);
  const unknown = given.find((action) => !known.includes(action));
  if (unknown !== undefined || given.length === 0) {
    const problem =
      unknown === undefined
        ? `has no action. Known: ${known.join(", ")}.`
        : `has an unknown action "${unknown}".${nearestNames(unknown, known)}`;
    throw new EspalierError("ERR_ROUTE_BAD_OPTION", `The resource ${path} ${problem}`);
  }
  // `:book-id` would be parsed as the parameter `book` and the text `-id`.
  if (!/^[A-Za-z_$][\w$]*$/.test(param)) {
    throw new EspalierError(
      "ERR_ROUTE_BAD_OPTION",
      `The option "param" of the resource ${path} must be a name of letters, digits, _ and $ ` +
        `that does not start with a digit, got ${JSON.stringify(param)}.`,
    );
  }
}

/** Creates the error for a path that is not a string. */
export function badPath(path: unknown): EspalierError {
  return new EspalierError(
    "ERR_ROUTE_PATTERN",
    `The path of a route must be a string such as "/books/:id", got ${describe(path)}.`,
  );
}

function ownerOf(name: string): OptionOwner {
  return { code: "ERR_ROUTE_BAD_OPTION", name };
}

function checkSharedOptions({ middleware, name }: GroupOptions, owner: OptionOwner): void {
  if (name !== undefined && (typeof name !== "string" || name === "")) {
    throw badOption(owner, "name", name, "a non-empty string");
  }
  if (middleware === undefined) return;
  if (!Array.isArray(middleware)) {
    throw badOption(owner, "middleware", middleware, 'a list such as ["auth"]');
  }
  const wrong = middleware.findIndex((entry: unknown) => !isMiddlewareReference(entry));
  if (wrong === -1) return;
  throw badOption(
    owner,
    `middleware[${wrong}]`,
    middleware[wrong],
    "the name of a registered middleware or a middleware",
  );
}

function isMiddlewareReference(entry: unknown): boolean {
  if (typeof entry === "string") return entry.trim() !== "";
  return typeof entry === "function" || (typeof entry === "object" && entry !== null);
}

function describeHandler(handler: unknown): string {
  if (isClass(handler)) return `${describe(handler)} without a method handle`;
  if (handler === undefined) return "undefined (two files that import each other?)";
  const madeBy = typeof handler === "object" ? handler?.constructor : undefined;
  if (isControllerClass(madeBy)) return `${describe(handler)} instead of the class`;
  return describe(handler);
}

function badGroup(message: string): EspalierError {
  return new EspalierError("ERR_ROUTE_BAD_OPTION", message);
}

function badMethod(message: string): EspalierError {
  return new EspalierError("ERR_ROUTE_BAD_METHOD", message);
}
