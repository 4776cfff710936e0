import { EspalierError } from "../errors.ts";
import { RequestContext } from "../http/context.ts";
import { mutableResponse } from "../http/headers.ts";
import { ValidationError } from "../http/http-error.ts";
import type { Handler } from "../pipeline/compose.ts";
import { isResponse } from "../pipeline/is-response.ts";
import type { ServiceName } from "../register.ts";
import type { ControllerClass } from "../routing/route.ts";
import { kindOf } from "../util/describe.ts";
import { isThenable } from "../util/is-thenable.ts";
import type { CompiledValidation } from "../validation/compile.ts";
import type { RouteValidation } from "../validation/rules.ts";
import type { ValidationInput } from "../validation/sources.ts";
import type { ValidationResult } from "../validation/validation-run.ts";
import { type BeforeHandleResult, LifecycleHooks } from "./lifecycle-hooks.ts";

/** Controller members that the lifecycle uses; a class that does not extend Controller may lack the hooks. */
interface ControllerMembers {
  context: RequestContext;
  services?: Readonly<Record<string, unknown>>;
  readonly schema?: RouteValidation;
  beforeHandle?(): BeforeHandleResult | Promise<BeforeHandleResult>;
  handle(ctx: RequestContext): Response | Promise<Response>;
  afterHandle?(response: Response): Response | Promise<Response>;
}

/** The parts of a route that the lifecycle uses. */
export interface LifecycleRoute {
  readonly method: string;
  readonly parameters: readonly string[];
  /** Rules of the groups, outer first, and of the route. */
  readonly validation: readonly RouteValidation[];
}

type MaybeValidation = CompiledValidation | undefined | Promise<CompiledValidation | undefined>;

/** Compiles rules into a check; a promise while the validator loads, undefined without rules. */
export type RuleCompiler = (
  layers: readonly RouteValidation[],
  route: LifecycleRoute,
) => MaybeValidation;

/**
 * Creates the innermost handler of a request: validation, then `beforeHandle`, `handle` and `afterHandle`.
 *
 * The body is parsed here, right before validation: none of it is read until all middleware has called
 * `next`.
 *
 * @param compile makes the check of the rules
 */
export function createControllerHandler(
  controller: ControllerClass,
  route: LifecycleRoute,
  compile: RuleCompiler,
): Handler {
  const inject = controller.inject ?? [];
  const serviceNames = controller.contract?.inject;
  const ofClass = controller.validation === undefined ? [] : [controller.validation];
  const withoutField = compile([...ofClass, ...route.validation], route);
  // A schema declared as a class field exists on instances only: it is read from the first one.
  let compiled: MaybeValidation;
  let isCompiled = false;

  const validationOf = ({ schema }: ControllerMembers): MaybeValidation => {
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

/** Creates the innermost handler of a route with a plain function: validation, then the function. */
export function createFunctionHandler(
  handler: Handler,
  route: LifecycleRoute,
  compile: RuleCompiler,
): Handler {
  const compiled = compile(route.validation, route);
  return function runFunction(ctx) {
    const validation = validate(compiled, ctx);
    return validation === undefined ? handler(ctx) : validation.then(() => handler(ctx));
  };
}

/**
 * Parses the body, unless a middleware has already done so, then checks the rules.
 *
 * @returns undefined when done synchronously, a promise when the body or a rule is asynchronous
 * @throws HttpError 400, 413 or 415 for a body that could not be read
 * @throws ValidationError 422 with every failing field
 */
function validate(compiled: MaybeValidation, ctx: RequestContext): Promise<void> | undefined {
  if (RequestContext.hasUnparsedBody(ctx)) {
    return ctx.parseBody().then(() => validate(compiled, ctx));
  }
  if (compiled === undefined) return undefined;
  // The validator is still loading: the first request to a controller whose schema is a class field.
  if (compiled instanceof Promise) return compiled.then((loaded) => validate(loaded, ctx));
  const { kind } = RequestContext.content(ctx) ?? { kind: "none" };
  const result = compiled.run(new RequestInput(ctx, kind));
  if (result instanceof Promise) return result.then((settled) => receive(settled, ctx));
  return receive(result, ctx);
}

/**
 * Adapts a request to validation; a source is read only when a rule needs it.
 *
 * A class, because engines keep the shape of an object literal with getters, and through it the request,
 * until the next full garbage collection.
 */
class RequestInput implements ValidationInput {
  readonly context: RequestContext;
  readonly bodyKind: ValidationInput["bodyKind"];

  constructor(context: RequestContext, bodyKind: ValidationInput["bodyKind"]) {
    this.context = context;
    this.bodyKind = bodyKind;
  }

  get method(): string {
    return this.context.method;
  }

  get params(): Readonly<Record<string, string>> {
    return this.context.params;
  }

  get query(): Readonly<Record<string, string>> {
    return this.context.query;
  }

  get headers(): Headers {
    return this.context.headers;
  }

  get body(): unknown {
    return this.context.body;
  }

  queries(name: string): readonly string[] {
    return this.context.queries(name);
  }
}

function receive(result: ValidationResult, ctx: RequestContext): undefined {
  if (!result.ok) throw new ValidationError(result.errors);
  ctx.validated = result.value;
}

function notAResponse(controller: string, hook: string, value: unknown): EspalierError {
  const got = kindOf(value);
  const orNothing = hook === "beforeHandle" ? ", or nothing to go on" : "";
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `${controller}.${hook}() returned ${got} instead of a Response to send. ` +
      `Return one of the response helpers, such as this.success(data)${orNothing}.`,
  );
}
