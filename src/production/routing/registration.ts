import { EspalierError } from "../../errors.ts";
import { groupOptionNames, routeOptionNames } from "../../routing/option-names.ts";
import type * as full from "../../routing/registration.ts";
import { resourceActions } from "../../routing/resource.ts";
import { isControllerClass } from "../../routing/route.ts";
import { ignoreRejection } from "../../util/ignore.ts";
import { isClass } from "../../util/is-class.ts";
import { isThenable } from "../../util/is-thenable.ts";
import { badOption, checkOptionNames } from "../../util/options.ts";
import { pickSources } from "../../validation/pick-sources.ts";

// The same is refused as in development, with the same codes. The messages do not say why a value is invalid.

const methodPattern = /^[A-Z0-9!#$%&'*+.^_`|~-]+$/;
const refusedMethods = ["TRACE", "CONNECT", "ALL"];

/** Refuses methods that could never match a request. */
export const checkMethods: typeof full.checkMethods = (methods, path) => {
  if (Array.isArray(methods) && methods.length > 0 && methods.every(isMethod)) return;
  throw new EspalierError(
    "ERR_ROUTE_BAD_METHOD",
    `The methods of match() of ${path} are not valid.`,
  );
};

function isMethod(method: unknown): boolean {
  return (
    typeof method === "string" && methodPattern.test(method) && !refusedMethods.includes(method)
  );
}

/** Refuses a handler that is not a function or a controller class. */
export const checkHandler: typeof full.checkHandler = (handler, method, pattern) => {
  if (typeof handler === "function" && (!isClass(handler) || isControllerClass(handler))) return;
  ignoreRejection(handler);
  throw new EspalierError(
    "ERR_ROUTE_BAD_HANDLER",
    `The handler of ${method} ${pattern} is not valid.`,
  );
};

/** Refuses unknown and invalid options of a route. */
export const checkRouteOptions: typeof full.checkRouteOptions = (options, route) =>
  checkOptions(route, options, routeOptionNames);

/** Refuses unknown and invalid options of a group, and one without a callback. */
export const checkGroup: typeof full.checkGroup = (prefix, callback, options) => {
  if (typeof prefix !== "string" || typeof callback !== "function") {
    throw badGroup("must have a string as prefix, and a callback");
  }
  checkOptions(`group("${prefix}")`, options, groupOptionNames);
};

/** Refuses the promise of an async callback of a group. */
export const checkSynchronous: typeof full.checkSynchronous = (prefix, result) => {
  if (!isThenable(result)) return;
  result.then(undefined, () => {});
  throw badGroup(`"${prefix}" must not have an async callback`);
};

/** Refuses unknown actions, a resource without actions, and an invalid parameter name. */
export const checkResource: typeof full.checkResource = (path, handlers, param) => {
  const known: readonly string[] = resourceActions(param).map(({ action }) => action);
  ignoreRejection(handlers);
  const given = Object.keys(handlers);
  const areKnown = given.length > 0 && given.every((action) => known.includes(action));
  if (areKnown && /^[A-Za-z_$][\w$]*$/.test(param)) return;
  throw new EspalierError("ERR_ROUTE_BAD_OPTION", `The resource ${path} is not valid.`);
};

/** Refuses documented responses that are not listed by status. */
export const checkResponseStatuses: typeof full.checkResponseStatuses = (owner, responses) => {
  if (responses === undefined || areResponses(responses)) return;
  throw badOption(owner, "responses", responses, "an object with statuses as keys");
};

/** Creates the error for a path that is not a string. */
export const badPath: typeof full.badPath = () =>
  new EspalierError("ERR_ROUTE_PATTERN", "The path of a route must be a string.");

function checkOptions(
  name: string,
  options: unknown,
  names: Readonly<Record<string, unknown>>,
): void {
  const owner = { code: "ERR_ROUTE_BAD_OPTION", name } as const;
  checkOptionNames(owner, options, names);
  for (const [option, value] of Object.entries(Object(options))) {
    const isValid = !(value instanceof Promise) && isValidOption(option, value, Object(options));
    if (value !== undefined && !isValid) {
      throw badOption(owner, option, value, "valid");
    }
  }
}

function isValidOption(name: string, value: unknown, options: object): boolean {
  switch (name) {
    case "name":
      return typeof value === "string" && value !== "";
    case "middleware":
      return Array.isArray(value) && value.every(isMiddlewareReference);
    case "validation":
      return pickSources(options) === undefined;
    case "responses":
      return areResponses(value);
    case "bodyLimit":
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case "bodyParser":
    case "internal":
    case "bypassMiddleware":
      return typeof value === "boolean";
    default:
      return true;
  }
}

function isMiddlewareReference(entry: unknown): boolean {
  if (typeof entry === "string") return entry.trim() !== "";
  return typeof entry === "function" || (typeof entry === "object" && entry !== null);
}

function areResponses(responses: unknown): boolean {
  return (
    typeof responses === "object" &&
    responses !== null &&
    !Array.isArray(responses) &&
    Object.keys(responses).every((status) => /^[1-5]\d\d$/.test(status))
  );
}

function badGroup(problem: string): EspalierError {
  return new EspalierError("ERR_ROUTE_BAD_OPTION", `The group ${problem}.`);
}
