import { createFunctionHandler, type RuleCompiler } from "../../controllers/function-handler.ts";
import type { ServiceNames } from "../../controllers/inject-problems.ts";
import { lifecycleOf } from "../../controllers/lifecycle-of.ts";
import { EspalierError } from "../../errors.ts";
import type { BodyParsing, MatchedRoute } from "../../http/context-input.ts";
import {
  type BoundMiddleware,
  compose,
  type ErrorRenderer,
  type Handler,
} from "../../pipeline/compose.ts";
import type { MiddlewareRegistry } from "../../pipeline/registry.ts";
import type { FrameworkApplication } from "../../register.ts";
import { isControllerClass, type RouteFunction, type RouteRecord } from "../../routing/route.ts";
import type { Router } from "../../routing/router.ts";
import { describe } from "../../util/describe.ts";
import type { HandlerSupport, ResolvedOptions } from "../options.ts";
import { createUnmatchedHandler } from "../request/unmatched.ts";
import { bodyParsingOf, findBodyParsing } from "./body-parsing.ts";

/** A route prepared for requests, with everything resolved that does not depend on one. */
export interface CompiledRoute {
  /** Undefined if the body is not parsed. */
  readonly bodyParsing: BodyParsing | undefined;
  readonly route: MatchedRoute;
  /** Middleware around validation and the controller; the first request replaces it with the composed chain. */
  run: Handler;
}

/** The routes by the matcher's index, and the handler of unmatched requests. */
export interface CompiledRoutes {
  /** Middleware around the handler of unmatched requests; the first one replaces it with the composed chain. */
  withoutRoute: Handler;
  /** Limits of the bodies of unmatched requests; undefined if no body is parsed. */
  readonly bodyParsing: BodyParsing | undefined;
  /** Returns the route of an index; undefined for -1. */
  find(index: number): CompiledRoute | undefined;
}

/** Input of the compilation. */
export interface CompileInput
  extends Pick<
    ResolvedOptions,
    | "parsesBodies"
    | "bodyLimits"
    | "loadBodyReader"
    | "loadHandlerSupport"
    | "methodNotAllowed"
    | "loadValidator"
  > {
  readonly application: FrameworkApplication;
  readonly router: Router;
  readonly middleware: MiddlewareRegistry;
  readonly renderError: ErrorRenderer;
  /** Returns whether the application renders errors itself. */
  readonly hasErrorHandler: () => boolean;
  readonly services: () => ServiceNames;
}

/** Input that all routes of one compilation share. */
interface CompileContext extends CompileInput {
  readonly globalMiddleware: readonly BoundMiddleware[];
  readonly compileRules: RuleCompiler;
  readonly support: HandlerSupport | undefined;
  readonly bodyParsing: BodyParsing | undefined;
}

/**
 * Resolves every name that routes refer to and builds their middleware chains. A route without names and
 * rules cannot be invalid: it is compiled on its first request, since a process may serve ten routes out of a
 * thousand.
 *
 * @param problems receives every problem found, so that all are reported together
 */
export async function compileRoutes(
  input: CompileInput,
  problems: Error[],
): Promise<CompiledRoutes> {
  const { router, middleware, renderError } = input;
  const { records } = router;
  const validator: RuleCompiler = await input.loadValidator(records);
  const compileRules: RuleCompiler = (layers, route) =>
    layers.length === 0 ? undefined : validator(layers, route);
  const support = await input.loadHandlerSupport?.(records);
  const { application } = input;
  // Copied: the registry's own list changes when more middleware is added.
  const globalMiddleware = [...middleware.global];
  for (const { metadata: hooks, args } of globalMiddleware) {
    attempt(() => hooks.prepare?.({ args, usedBy: "use()", application }), problems);
  }
  const bodyParsing = await findBodyParsing(records, input).catch((error: unknown) =>
    addProblem(error, problems),
  );
  const context = {
    ...input,
    globalMiddleware,
    compileRules,
    support,
    bodyParsing,
  };
  const routes = records.map((record) =>
    support?.wrap === undefined && isPlain(record)
      ? undefined
      : compileRoute(record, context, problems),
  );
  const compiled: CompiledRoutes = {
    withoutRoute(ctx) {
      compiled.withoutRoute = compose(
        globalMiddleware,
        createUnmatchedHandler(router.matcher, input.methodNotAllowed, input.hasErrorHandler),
        renderError,
      );
      return compiled.withoutRoute(ctx);
    },
    bodyParsing,
    find(index) {
      if (index < 0) return undefined;
      // The matcher has an index for each record. What boot has left out is plain: its handler is a function.
      const record = records[index] as RouteRecord & { readonly handler: RouteFunction };
      routes[index] ??= createRoute(
        record,
        [],
        createFunctionHandler(record.handler, record, compileRules),
        context,
      );
      return routes[index];
    },
  };
  return compiled;
}

function isPlain({ handler, middleware, validation }: RouteRecord): boolean {
  return middleware.length === 0 && validation.length === 0 && !isControllerClass(handler);
}

/** Returns the route, or undefined if its handler is invalid; adds other problems to `problems`. */
function compileRoute(
  record: RouteRecord,
  context: CompileContext,
  problems: Error[],
): CompiledRoute | undefined {
  const middleware = resolveMiddleware(record, context, problems);
  const handler = attempt(() => createHandler(record, context, problems), problems);
  return handler && createRoute(record, middleware, handler, context);
}

/** @param own the middleware of the route and its groups */
function createRoute(
  record: RouteRecord,
  own: readonly BoundMiddleware[],
  handler: Handler,
  context: CompileContext,
): CompiledRoute {
  const { method, pattern, name, internal } = record;
  const chain = record.bypassMiddleware ? own : [...context.globalMiddleware, ...own];
  const compiled: CompiledRoute = {
    route: internal ? { method, pattern, name, internal } : { method, pattern, name },
    bodyParsing: bodyParsingOf(record, context.bodyParsing),
    run(ctx) {
      compiled.run = compose(chain, handler, context.renderError);
      return compiled.run(ctx);
    },
  };
  return compiled;
}

function resolveMiddleware(
  record: RouteRecord,
  { application, middleware }: CompileInput,
  problems: Error[],
): readonly BoundMiddleware[] {
  const usedBy = labelOf(record);
  const chain: BoundMiddleware[] = [];
  for (const reference of record.middleware) {
    attempt(() => {
      const bound = middleware.resolve(reference, usedBy);
      bound.metadata.prepare?.({ args: bound.args, usedBy, application });
      chain.push(bound);
    }, problems);
  }
  return chain;
}

/** Returns the name of a route in messages. */
function labelOf({ method, pattern }: RouteRecord): string {
  return `${method} ${pattern}`;
}

function createHandler(record: RouteRecord, context: CompileContext, problems: Error[]): Handler {
  try {
    const run = createInnermost(record, context, problems);
    return context.support?.wrap?.(run, record) ?? run;
  } catch (cause) {
    // The rule's error names the field; the route is added here.
    if (!(cause instanceof EspalierError)) throw cause;
    throw new EspalierError(cause.code, `${labelOf(record)}: ${cause.message}`, { cause });
  }
}

function createInnermost(
  record: RouteRecord,
  { compileRules, support, services }: CompileContext,
  problems: Error[],
): Handler {
  const { handler } = record;
  if (!isControllerClass(handler)) return createFunctionHandler(handler, record, compileRules);
  const lifecycle = lifecycleOf(handler) ?? support?.controllerLifecycle;
  if (lifecycle === undefined) {
    throw new EspalierError(
      "ERR_ROUTE_BAD_HANDLER",
      `${describe(handler)} must extend Controller of espalier/core.`,
    );
  }
  problems.push(...lifecycle.findInjectProblems(handler, labelOf(record), services));
  return lifecycle.createHandler(handler, record, compileRules);
}

function attempt<Value>(action: () => Value, problems: Error[]): Value | undefined {
  try {
    return action();
  } catch (error) {
    return addProblem(error, problems);
  }
}

/** Adds an error of the framework to the problems; any other is thrown. */
function addProblem(error: unknown, problems: Error[]): undefined {
  if (!(error instanceof EspalierError)) throw error;
  problems.push(error);
}
