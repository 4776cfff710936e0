import type { MiddlewareReference } from "../pipeline/registry.ts";
import { pickSources } from "../validation/pick-sources.ts";
import type { RouteValidation } from "../validation/rules.ts";
import type { GroupScope } from "./group.ts";
import type { HandlerContract, RouteDocumentation, RouteOptions } from "./route.ts";

/**
 * Returns the middleware of a route in execution order: that of its groups, of the route, and of its
 * controller's contract. What a group or the route lists already is not run a second time for the contract.
 */
export function middlewareOf(
  scope: GroupScope,
  { middleware }: RouteOptions,
  contract: HandlerContract | undefined,
): readonly MiddlewareReference[] {
  const own = middleware === undefined ? scope.middleware : [...scope.middleware, ...middleware];
  if (contract?.middleware === undefined) return own;
  return [...own, ...contract.middleware.filter((reference) => !own.includes(reference))];
}

/** Returns the documentation of a route; its responses override those of its controller's contract by status. */
export function documentationWith(
  documentation: RouteDocumentation,
  contract: HandlerContract | undefined,
): RouteDocumentation {
  if (contract?.responses === undefined) return documentation;
  return { ...documentation, responses: { ...contract.responses, ...documentation.responses } };
}

/** Returns the rules of a route, outermost first: those of its groups and its own. */
export function validationOf(scope: GroupScope, options: RouteOptions): readonly RouteValidation[] {
  const own = options.validation ?? pickSources(options);
  return own === undefined ? scope.validation : [...scope.validation, own];
}
