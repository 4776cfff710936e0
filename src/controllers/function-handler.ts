import { RequestContext } from "../http/context.ts";
import type { Handler } from "../pipeline/compose.ts";
import type { CompiledValidation } from "../validation/compile.ts";
import type { ValidInput } from "../validation/request-input.ts";
import type { RouteValidation } from "../validation/rules.ts";

/** The parts of a route that its innermost handler uses. */
export interface LifecycleRoute {
  readonly method: string;
  readonly parameters: readonly string[];
  /** Rules of the groups, outer first, and of the route. */
  readonly validation: readonly RouteValidation[];
}

/** A check of rules; a promise while the validator loads, undefined without rules. */
export type MaybeValidation =
  | CompiledValidation
  | undefined
  | Promise<CompiledValidation | undefined>;

/** Compiles rules into a check. */
export type RuleCompiler = (
  layers: readonly RouteValidation[],
  route: LifecycleRoute,
) => MaybeValidation;

/** Creates the innermost handler of a route with a plain function: validation, then the function. */
export function createFunctionHandler(
  handler: Handler,
  route: LifecycleRoute,
  compile: RuleCompiler,
): Handler {
  const compiled = compile(route.validation, route);
  return function runFunction(ctx): Response | Promise<Response> {
    if (RequestContext.body(ctx)?.isUnparsed) return ctx.parseBody().then(() => runFunction(ctx));
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
  compiled: MaybeValidation,
  ctx: RequestContext,
): Promise<void> | undefined {
  if (compiled === undefined) return undefined;
  // The validator is still loading: the first request to a controller whose schema is a class field.
  if (compiled instanceof Promise) return compiled.then((loaded) => validate(loaded, ctx));
  const result = compiled.runRequest(ctx, RequestContext.body(ctx)?.content?.kind ?? "none");
  if (result instanceof Promise) return result.then((settled) => receive(settled, ctx));
  return receive(result, ctx);
}

function receive({ value }: ValidInput, ctx: RequestContext): undefined {
  ctx.validated = value;
}
