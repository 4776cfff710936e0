import type { RequestContext } from "../http/context.ts";
import type { Handler } from "../pipeline/compose.ts";
import type { RequestCheck } from "../validation/request-input.ts";
import type { RouteValidation } from "../validation/rules.ts";

/** The parts of a route that its innermost handler uses. */
export interface LifecycleRoute {
  readonly method: string;
  readonly parameters: readonly string[];
  /** Rules of the groups, outer first, and of the route. */
  readonly validation: readonly RouteValidation[];
}

/** Compiles rules into a check. */
export type RuleCompiler = (
  layers: readonly RouteValidation[],
  route: LifecycleRoute,
) => RequestCheck | undefined;

/** Creates the innermost handler of a route with a plain function: validation, then the function. */
export function createFunctionHandler(
  handler: Handler,
  route: LifecycleRoute,
  compile: RuleCompiler,
): Handler {
  const compiled = compile(route.validation, route);
  // Nothing comes before the function; a call around it would be one more frame in the stack of its errors.
  if (compiled === undefined && route.method === "GET") return handler;
  return function runFunction(ctx): Response | Promise<Response> {
    if (ctx.internalBody?.isUnparsed) return ctx.parseBody().then(() => runFunction(ctx));
    const validation = validate(compiled, ctx);
    return validation === undefined ? handler(ctx) : validation.then(() => handler(ctx));
  };
}

/**
 * Checks the rules. The body must have been parsed before.
 *
 * @returns undefined when done synchronously, a promise when a rule is asynchronous
 * @throws ValidationError 422 with every failing field
 */
export function validate(
  compiled: RequestCheck | undefined,
  ctx: RequestContext,
): Promise<void> | undefined {
  return compiled?.checkRequest(ctx, ctx.internalBody?.content?.kind ?? "none");
}
