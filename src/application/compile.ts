import { createControllerHandler, createFunctionHandler } from "../controllers/lifecycle.ts";
import { EspalierError } from "../errors.ts";
import type { BodyLimits } from "../http/body.ts";
import type { MatchedRoute } from "../http/context.ts";
import {
  type BoundMiddleware,
  compose,
  type ErrorRenderer,
  type Handler,
} from "../pipeline/compose.ts";
import type { MiddlewareRegistry } from "../pipeline/registry.ts";
import { isControllerClass, type RouteRecord } from "../routing/route.ts";
import type { Router } from "../routing/router.ts";
import { nearestNames } from "../text/nearest-names.ts";
import type { Application } from "./application.ts";
import { createOutcomeHandler } from "./outcome.ts";

/** A route with everything decided that can be decided before a request. */
export interface CompiledRoute {
  /** Global, group and route middleware around validation and the controller. */
  readonly run: Handler;
  /** Bytes that its body may have; undefined when it is not parsed. */
  readonly bodyLimits: BodyLimits | undefined;
  readonly route: MatchedRoute;
}

/** The routes by the matcher's index, and what answers a request without one. */
export interface CompiledRoutes {
  readonly routes: readonly CompiledRoute[];
  readonly withoutRoute: Handler;
}

/** What compiling needs of the application. */
export interface CompileInput {
  readonly application: Application;
  readonly router: Router;
  readonly middleware: MiddlewareRegistry;
  readonly renderError: ErrorRenderer;
  readonly bodyLimits: BodyLimits | undefined;
  readonly methodNotAllowed: boolean;
  readonly services: ServiceNames;
}

/** What is registered in the container. */
export interface ServiceNames {
  has(name: string): boolean;
  names(): readonly string[];
}

/**
 * Resolves every name that a route mentions and builds its chain.
 *
 * @param problems receives every wrong thing found, so that all are reported at once
 */
export function compileRoutes(input: CompileInput, problems: Error[]): CompiledRoutes {
  const { router, middleware, renderError } = input;
  const outcome = createOutcomeHandler(router.matcher, input.methodNotAllowed);
  const { application } = input;
  for (const { hooks, args } of middleware.global) {
    attempt(() => hooks.prepare?.({ args, usedBy: "use()", application }), problems);
  }
  return {
    routes: router.records.flatMap((record) => {
      const compiled = attempt(() => compileRoute(record, input), problems);
      return compiled === undefined ? [] : [compiled];
    }),
    withoutRoute: compose(middleware.global, outcome, renderError),
  };
}

function compileRoute(record: RouteRecord, input: CompileInput): CompiledRoute {
  const usedBy = `${record.method} ${record.pattern}`;
  const own = record.middleware.map((reference) => input.middleware.resolve(reference, usedBy));
  for (const { hooks, args } of own)
    hooks.prepare?.({ args, usedBy, application: input.application });
  const chain: readonly BoundMiddleware[] = [...input.middleware.global, ...own];
  return {
    run: compose(chain, createHandler(record, usedBy, input.services), input.renderError),
    bodyLimits: bodyLimitsOf(record, input.bodyLimits),
    route: { method: record.method, pattern: record.pattern, name: record.name },
  };
}

function createHandler(record: RouteRecord, usedBy: string, services: ServiceNames): Handler {
  const { handler } = record;
  if (!isControllerClass(handler)) return createFunctionHandler(handler, record);
  for (const name of handler.inject ?? []) {
    if (!services.has(name)) throw unknownService(name, handler.name, usedBy, services);
  }
  return createControllerHandler(handler, record);
}

function unknownService(
  name: string,
  controller: string,
  usedBy: string,
  services: ServiceNames,
): EspalierError {
  return new EspalierError(
    "ERR_CONTAINER_NOT_REGISTERED",
    `${usedBy} needs the service "${name}" for ${controller}, which is not registered.` +
      nearestNames(name, services.names()),
  );
}

function bodyLimitsOf(record: RouteRecord, limits: BodyLimits | undefined): BodyLimits | undefined {
  if (limits === undefined || record.bodyParser === false) return undefined;
  const { bodyLimit } = record;
  if (bodyLimit === undefined) return limits;
  return { limitBytes: bodyLimit, multipartLimitBytes: bodyLimit };
}

function attempt<Value>(action: () => Value, problems: Error[]): Value | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    problems.push(error);
    return undefined;
  }
}
