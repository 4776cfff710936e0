import { stripContentEncoding } from "#host";
import { hasMutableHeaders } from "#response";
import { EspalierError } from "../errors.ts";
import { RequestContext } from "../http/context.ts";
import { mutableResponse } from "../http/headers.ts";
import { stoppableStreamOf } from "../http/open-streams.ts";
import { kindOf } from "../util/describe.ts";
import { isThenable } from "../util/is-thenable.ts";
import { isResponse, isSendable } from "./is-response.ts";
import type { MiddlewareFunction, MiddlewareMetadata, Next } from "./middleware.ts";

/** The inner part of the middleware chain: the remaining middleware and the controller. */
export type Handler = (ctx: RequestContext) => Response | Promise<Response>;

/** Renders a thrown value as a response; must never throw or reject. */
export type ErrorRenderer = (error: unknown, ctx: RequestContext) => Response | Promise<Response>;

/** A middleware with the arguments of the route that uses it. */
export interface BoundMiddleware {
  readonly run: MiddlewareFunction;
  readonly args: readonly string[];
  /** Name in the route or in `use`, for error messages. */
  readonly label: string;
  readonly metadata: MiddlewareMetadata;
}

/**
 * Composes a list of middleware and the innermost handler into one handler, once, at boot.
 *
 * Every layer returns a Response: errors are rendered at the layer that threw, so outer
 * middleware can still modify the response.
 */
export function compose(
  middleware: readonly BoundMiddleware[],
  last: Handler,
  renderError: ErrorRenderer,
): Handler {
  // Without middleware, nothing changes the headers: a mutable copy would be wasted.
  const takeOver = middleware.length === 0 ? received : mutableResponse;
  const steps = { takeOver, renderError };
  let handler = normalised(last, "The handler", steps);
  for (const bound of middleware.toReversed()) {
    handler = normalised(wrap(bound, handler), `The middleware ${bound.label}`, steps);
  }
  return handler;
}

/** Corrects the headers of a response that fetch() has received and decoded: not of one that was created here. */
function received(response: Response): Response {
  return hasMutableHeaders(response) ? response : stripContentEncoding(response);
}

function wrap(bound: BoundMiddleware, inner: Handler): Handler {
  const { run, args, label } = bound;
  return function runMiddleware(ctx) {
    let called = false;
    const next: Next = (given = ctx) => {
      if (given !== ctx && !(given instanceof RequestContext)) throw notAContext(label, given);
      // Thrown synchronously: a rejection that the middleware does not await would end the process.
      if (called) throw calledTwice(label);
      called = true;
      const response = inner(given);
      return response instanceof Promise ? response : Promise.resolve(response);
    };
    return args.length === 0 ? run(ctx, next) : run(ctx, next, ...args);
  };
}

interface LayerSteps {
  /** Prepares the response of an inner handler, such as by making its headers mutable. */
  readonly takeOver: (response: Response) => Response;
  readonly renderError: ErrorRenderer;
}

/**
 * Wraps a handler so that it never throws or rejects, and always returns a sendable Response with mutable
 * headers. Sets `ctx.response` to that response.
 */
function normalised(
  handler: Handler,
  label: string,
  { takeOver, renderError }: LayerSteps,
): Handler {
  const leave = (ctx: RequestContext, rendered: Response): Response => {
    const adopted = takeOver(rendered);
    ctx.response = adopted;
    return adopted;
  };
  const accept = (ctx: RequestContext, value: unknown): Response | Promise<Response> => {
    // Already normalised by an inner layer: return it unchanged.
    const { response } = ctx;
    if (response !== undefined && response === value && isSendable(response)) return response;
    if (!isResponse(value) || !isSendable(value)) return fail(ctx, notAResponse(label, ctx, value));
    // Attached now: a middleware may wrap the stream in another response, which can no longer be recognised.
    stoppableStreamOf(value)?.attach(ctx.internalInput.services.openStreams, (error, isExpected) =>
      RequestContext.failBody(ctx, error, isExpected),
    );
    return leave(ctx, value);
  };
  const fail = (ctx: RequestContext, error: unknown): Response | Promise<Response> => {
    const rendered = renderError(error, ctx);
    return rendered instanceof Promise
      ? rendered.then((response) => leave(ctx, response))
      : leave(ctx, rendered);
  };
  const acceptLater = (ctx: RequestContext, promise: Promise<unknown>): Promise<Response> =>
    promise.then(
      (value) => accept(ctx, value),
      (error: unknown) => fail(ctx, error),
    );
  return function settle(ctx) {
    try {
      const result: unknown = handler(ctx);
      // The common cases: a Response, which has no `then`, and a native promise.
      if (result instanceof Response) return accept(ctx, result);
      if (result instanceof Promise) return acceptLater(ctx, result);
      return isThenable(result) ? acceptLater(ctx, Promise.resolve(result)) : accept(ctx, result);
    } catch (error) {
      return fail(ctx, error);
    }
  };
}

function calledTwice(label: string): EspalierError {
  return new EspalierError(
    "ERR_PIPELINE_NEXT_TWICE",
    `The middleware ${label} called next() twice. Keep the Response of the first call.`,
  );
}

function notAContext(label: string, given: unknown): EspalierError {
  return new EspalierError(
    "ERR_PIPELINE_BAD_MIDDLEWARE",
    `The middleware ${label} called next() with ${kindOf(given)}. Call next() or next(ctx); to fail, throw the error.`,
  );
}

function notAResponse(label: string, ctx: RequestContext, value: unknown): EspalierError {
  const route = ctx.route === undefined ? "no route" : `${ctx.route.method} ${ctx.route.pattern}`;
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `${label} of ${route} returned ${describeResult(value)} instead of a Response to send. ` +
      (value instanceof Error
        ? "Throw an error instead of returning it."
        : "Return json(data), or in a middleware the result of next()."),
  );
}

function describeResult(value: unknown): string {
  return isResponse(value) ? "a Response whose body has been read" : kindOf(value);
}
