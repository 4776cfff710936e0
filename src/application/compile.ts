import { createControllerHandler, createFunctionHandler } from "../controllers/lifecycle.ts";
import { EspalierError } from "../errors.ts";
import type { BodyLimits } from "../http/body.ts";
import type { MatchedRoute } from "../http/context.ts";
import type { Logger } from "../observability/logger.ts";
import {
  type BoundMiddleware,
  compose,
  type ErrorRenderer,
  type Handler,
} from "../pipeline/compose.ts";
import type { MiddlewareRegistry } from "../pipeline/registry.ts";
import { type ControllerClass, isControllerClass, type RouteRecord } from "../routing/route.ts";
import type { Router } from "../routing/router.ts";
import { nearestNames } from "../text/nearest-names.ts";
import type { Application } from "./application.ts";
import { safely } from "./error-boundary.ts";
import type { ValidationCompiler } from "./options.ts";
import { createOutcomeHandler } from "./outcome.ts";

/**
 * A route with everything decided that can be decided before a request. What cannot fail is put together
 * for its first request: of a thousand routes a process may answer ten.
 */
export class CompiledRoute {
  /** Bytes that its body may have; undefined when it is not parsed. */
  readonly bodyLimits: BodyLimits | undefined;
  readonly #record: RouteRecord;
  readonly #input: CompileInput;
  readonly #middleware: readonly BoundMiddleware[];
  readonly #handler: Handler | undefined;
  #route: MatchedRoute | undefined;
  #run: Handler | undefined;

  /** @param handler undefined where there are no rules that could be wrong: it is made later then */
  constructor(
    record: RouteRecord,
    input: CompileInput,
    middleware: readonly BoundMiddleware[],
    handler: Handler | undefined,
  ) {
    this.bodyLimits = bodyLimitsOf(record, input.bodyLimits);
    this.#record = record;
    this.#input = input;
    this.#middleware = middleware;
    this.#handler = handler;
  }

  /** What the context tells of it. */
  get route(): MatchedRoute {
    this.#route ??= describeRoute(this.#record);
    return this.#route;
  }

  /** Global, group and route middleware around validation and the controller. */
  get run(): Handler {
    this.#run ??= compose(
      this.#middleware,
      this.#handler ?? createHandler(this.#record, this.#input),
      this.#input.renderError,
    );
    return this.#run;
  }
}

function describeRoute({ method, pattern, name, internal }: RouteRecord): MatchedRoute {
  return internal ? { method, pattern, name, internal } : { method, pattern, name };
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
  /** Whether the application renders errors itself. */
  readonly hasErrorHandler: () => boolean;
  readonly validation: ValidationCompiler | undefined;
  readonly services: ServiceNames;
  readonly logger: Logger;
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
  const outcome = createOutcomeHandler(
    router.matcher,
    input.methodNotAllowed,
    input.hasErrorHandler,
  );
  const { application } = input;
  // The registry goes on with its own list when there is more.
  const global = [...middleware.global];
  for (const { hooks, args } of global) {
    attempt(() => hooks.prepare?.({ args, usedBy: "use()", application }), problems);
  }
  const routes: CompiledRoute[] = [];
  for (const record of router.records) {
    const route = compileRoute(record, input, global, problems);
    if (route !== undefined) routes.push(route);
  }
  return { routes, withoutRoute: compose(global, outcome, renderError) };
}

/** The route, unless its handler cannot be made; what else is wrong with it is told in `problems`. */
function compileRoute(
  record: RouteRecord,
  input: CompileInput,
  global: readonly BoundMiddleware[],
  problems: Error[],
): CompiledRoute | undefined {
  const outer = record.bypassMiddleware ? [] : global;
  const chain =
    record.middleware.length === 0
      ? outer
      : [...outer, ...resolveMiddleware(record, input, problems)];
  checkInject(record, input, problems);
  if (!hasRules(record)) return new CompiledRoute(record, input, chain, undefined);
  const handler = attempt(() => createHandler(record, input), problems);
  return handler && new CompiledRoute(record, input, chain, handler);
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
      bound.hooks.prepare?.({ args: bound.args, usedBy, application });
      chain.push(bound);
    }, problems);
  }
  return chain;
}

/** How messages name a route. */
function labelOf({ method, pattern }: RouteRecord): string {
  return `${method} ${pattern}`;
}

/** Looks whether the services that a controller asks for exist, and whether it asks for all it takes. */
function checkInject(
  record: RouteRecord,
  { services, logger }: CompileInput,
  problems: Error[],
): void {
  const { handler } = record;
  if (!isControllerClass(handler) || (handler.inject === undefined && handler.length === 0)) return;
  const usedBy = labelOf(record);
  const inject: unknown = handler.inject ?? [];
  if (!isNameList(inject)) {
    problems.push(badInject(handler.name, usedBy));
    return;
  }
  for (const name of inject.filter((service) => !services.has(service))) {
    problems.push(unknownService(name, handler.name, usedBy, services));
  }
  if (handler.length > inject.length) warnOfForgottenInject(handler, inject, usedBy, logger);
}

/** A warning and no error: a parameter that may be left out is counted like any other. */
function warnOfForgottenInject(
  { name, length }: ControllerClass,
  inject: readonly string[],
  usedBy: string,
  logger: Logger,
): void {
  const message =
    `${usedBy}: the constructor of ${name} has ${length} parameters, and static inject ${inject.length} ` +
    'names, so the others are undefined. Write static inject = ["books"].';
  safely(() => logger.warn({ message }));
}

/** Whether there is something to compile, in which there may be a mistake. */
function hasRules({ handler, validation }: RouteRecord): boolean {
  if (validation.length > 0) return true;
  return isControllerClass(handler) && handler.validation !== undefined;
}

function createHandler(record: RouteRecord, { validation = refuseRules }: CompileInput): Handler {
  const { handler } = record;
  const compile: ValidationCompiler = (layers, route) =>
    layers.length === 0 ? undefined : validation(layers, route);
  try {
    return isControllerClass(handler)
      ? createControllerHandler(handler, record, compile)
      : createFunctionHandler(handler, record, compile);
  } catch (cause) {
    // A rule that cannot be read says which field it is for; here it is known of which route.
    if (!(cause instanceof EspalierError)) throw cause;
    throw new EspalierError(cause.code, `${labelOf(record)}: ${cause.message}`, { cause });
  }
}

/** Stands in for the validator of an application that was made without one. */
function refuseRules(): never {
  throw new EspalierError(
    "ERR_VALIDATION_NO_VALIDATOR",
    "there are rules, and the application has no validator. Give it one: " +
      'import { Application, rules } from "espalier/core"; new Application({ validation: rules }).',
  );
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function badInject(controller: string, usedBy: string): EspalierError {
  return new EspalierError(
    "ERR_CONTAINER_BAD_INJECT",
    `${usedBy}: static inject of ${controller} is no list of names. Write static inject = ["books"].`,
  );
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
