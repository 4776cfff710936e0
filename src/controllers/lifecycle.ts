import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { mutableResponse } from "../http/headers.ts";
import type { Handler } from "../pipeline/compose.ts";
import { isResponse } from "../pipeline/is-response.ts";
import type { ServiceName } from "../register.ts";
import type { ControllerClass } from "../routing/route.ts";
import { kindOf } from "../util/describe.ts";
import { ignore } from "../util/ignore.ts";
import { isThenable } from "../util/is-thenable.ts";
import type { RequestCheck } from "../validation/request-input.ts";
import type { RouteValidation } from "../validation/rules.ts";
import { type LifecycleRoute, type RuleCompiler, validate } from "./function-handler.ts";
import { findInjectProblems } from "./inject-problems.ts";
import { type BeforeHandleResult, LifecycleHooks } from "./lifecycle-hooks.ts";

/** Runs controllers. Separate from the rest of the application: a bundle contains it with `Controller`. */
export interface ControllerLifecycle {
  readonly createHandler: typeof createControllerHandler;
  readonly findInjectProblems: typeof findInjectProblems;
}

/** Controller members that the lifecycle uses; a class that does not extend Controller may lack the hooks. */
interface ControllerMembers {
  context: RequestContext;
  services?: Readonly<Record<string, unknown>>;
  readonly schema?: RouteValidation;
  beforeHandle?(): BeforeHandleResult | Promise<BeforeHandleResult>;
  handle(ctx: RequestContext): Response | Promise<Response>;
  afterHandle?(response: Response): Response | Promise<Response>;
}

/**
 * Creates the innermost handler of a request: validation, then `beforeHandle`, `handle` and `afterHandle`.
 *
 * The body is parsed here, right before validation: none of it is read until all middleware has called
 * `next`.
 *
 * @param compile makes the check of the rules
 */
function createControllerHandler(
  controller: ControllerClass,
  route: LifecycleRoute,
  compile: RuleCompiler,
): Handler {
  const inject = controller.inject ?? [];
  const serviceNames = controller.contract?.inject;
  const ofClass = controller.validation === undefined ? [] : [controller.validation];
  const withoutField = compile([...ofClass, ...route.validation], route);
  // A schema declared as a class field exists on instances only: it is read from the first one.
  let compiled: RequestCheck | undefined;
  let isCompiled = false;

  const validationOf = ({ schema }: ControllerMembers): RequestCheck | undefined => {
    if (!isCompiled) {
      compiled =
        schema === undefined
          ? withoutField
          : compile([...ofClass, schema, ...route.validation], route);
      isCompiled = true;
    }
    return compiled;
  };

  const run = (instance: ControllerMembers, ctx: RequestContext): Response | Promise<Response> => {
    instance.context = ctx;
    if (ctx.internalBody?.isUnparsed) return ctx.parseBody().then(() => run(instance, ctx));
    const validated = validate(validationOf(instance), ctx);
    if (validated !== undefined) return validated.then(() => runHooks(controller, instance, ctx));
    return runHooks(controller, instance, ctx);
  };

  // Unchecked cast: that `inject` matches the constructor's parameters is the user's responsibility.
  const create = (dependencies: readonly unknown[]): ControllerMembers =>
    new controller(...(dependencies as never[])) as unknown as ControllerMembers;

  if (serviceNames !== undefined) {
    return function runWithServices(ctx) {
      return andThen<Services, Response>(resolveServices(serviceNames, ctx), (services) => {
        const instance = create([]);
        instance.services = services;
        return run(instance, ctx);
      });
    };
  }
  return function runController(ctx) {
    if (inject.length === 0) return run(create([]), ctx);
    return Promise.all(inject.map((name) => ctx.resolve(name as ServiceName))).then(
      (dependencies) => run(create(dependencies), ctx),
    );
  };
}

/** The lifecycle of `Controller`, and of classes with its members. */
export const lifecycle: ControllerLifecycle = {
  createHandler: createControllerHandler,
  findInjectProblems,
};

type Services = Readonly<Record<string, unknown>>;

/** Resolves services by name; synchronously unless one of them is a promise. */
function resolveServices(
  names: readonly string[],
  ctx: RequestContext,
): Services | Promise<Services> {
  const services: Record<string, unknown> = {};
  const pending: Promise<void>[] = [];
  for (const name of names) {
    const service: unknown = ctx.resolve(name as ServiceName);
    services[name] = service;
    if (!isThenable(service)) continue;
    const settle = Promise.resolve(service).then((settled) => {
      services[name] = settled;
    });
    // Resolving the next service may throw, and then nothing awaits this promise.
    settle.catch(ignore);
    pending.push(settle);
  }
  return pending.length === 0 ? services : Promise.all(pending).then(() => services);
}

/** The default hooks: a class that inherits them is handled without calling or awaiting a hook. */
const inherited = LifecycleHooks.prototype as unknown as ControllerMembers;

function runHooks(
  controller: ControllerClass,
  instance: ControllerMembers,
  ctx: RequestContext,
): Response | Promise<Response> {
  if (instance.beforeHandle === inherited.beforeHandle) return runHandle(controller, instance, ctx);
  return andThen<unknown, Response>(instance.beforeHandle?.(), (early) => {
    if (isResponse(early)) return early;
    // Fails closed: a hook that returns `false` means to deny access, so it must not continue.
    if (early !== undefined && early !== null) {
      throw notAResponse(controller.name, "beforeHandle", early);
    }
    return runHandle(controller, instance, ctx);
  });
}

function runHandle(
  controller: ControllerClass,
  instance: ControllerMembers,
  ctx: RequestContext,
): Response | Promise<Response> {
  return andThen<unknown, Response>(instance.handle(ctx), (response) => {
    if (!isResponse(response)) throw notAResponse(controller.name, "handle", response);
    const { afterHandle } = instance;
    if (afterHandle === undefined || afterHandle === inherited.afterHandle) return response;
    // A Response of fetch() has immutable headers, but hooks must be able to set them.
    const adopted = mutableResponse(response);
    ctx.response = adopted;
    return andThen<unknown, Response>(instance.afterHandle?.(adopted), (final) => {
      if (!isResponse(final)) throw notAResponse(controller.name, "afterHandle", final);
      return final;
    });
  });
}

/** Calls next() synchronously for a plain value: an extra microtask would dominate the request's cost. */
function andThen<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (value instanceof Promise) return value.then(next);
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}

function notAResponse(controller: string, hook: string, value: unknown): EspalierError {
  const got = kindOf(value);
  const orNothing = hook === "beforeHandle" ? ", or nothing to go on" : "";
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `${controller || "Controller"}.${hook}() returned ${got} instead of a Response to send. ` +
      (value instanceof Error
        ? "Throw an error instead of returning it."
        : `Return one of the response helpers, such as this.success(data)${orNothing}.`),
  );
}
