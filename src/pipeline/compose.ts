import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { mutableResponse } from "../http/headers.ts";
import { isResponse, isSendable } from "./is-response.ts";
import type { MiddlewareFunction, Next } from "./middleware.ts";

/** The rest of a request, from some point inwards. */
export type Handler = (ctx: RequestContext) => Response | Promise<Response>;

/** Makes a response of whatever was thrown; it never throws itself. */
export type ErrorRenderer = (error: unknown, ctx: RequestContext) => Response | Promise<Response>;

/** A middleware with the arguments that a route gives it. */
export interface BoundMiddleware {
  readonly run: MiddlewareFunction;
  readonly args: readonly string[];
  /** As the route or `use` names it, for error messages. */
  readonly label: string;
}

/**
 * Builds one handler of a list of middleware and what they lead to, once, at boot.
 *
 * Every step is settled: what leaves it is a Response, so an error is rendered where it left its
 * handler and each middleware outside of it can still decorate the answer.
 */
export function compose(
  middleware: readonly BoundMiddleware[],
  last: Handler,
  renderError: ErrorRenderer,
): Handler {
  let handler = settled(last, renderError, "The handler");
  for (const bound of middleware.toReversed()) {
    handler = settled(around(bound, handler), renderError, `The middleware ${bound.label}`);
  }
  return handler;
}

function around(bound: BoundMiddleware, inner: Handler): Handler {
  const { run, args, label } = bound;
  return function runMiddleware(ctx) {
    let called = false;
    const next: Next = async (given = ctx) => {
      if (called) {
        throw new EspalierError(
          "ERR_PIPELINE_NEXT_TWICE",
          `The middleware ${label} called next() twice. Keep the Response of the first call.`,
        );
      }
      called = true;
      const response = mutableResponse(await inner(given));
      given.response = response;
      return response;
    };
    return run(ctx, next, ...args);
  };
}

/** A handler that never throws or rejects and never returns anything but a Response. */
function settled(handler: Handler, renderError: ErrorRenderer, label: string): Handler {
  const check = (ctx: RequestContext, value: unknown): Response | Promise<Response> =>
    isAnswer(value) ? value : renderError(notAResponse(label, ctx, value), ctx);

  return function settle(ctx) {
    try {
      const result: unknown = handler(ctx);
      if (isAnswer(result)) return result;
      if (!isThenable(result)) return check(ctx, result);
      return Promise.resolve(result).then(
        (value) => check(ctx, value),
        (error: unknown) => renderError(error, ctx),
      );
    } catch (error) {
      return renderError(error, ctx);
    }
  };
}

function isAnswer(value: unknown): value is Response {
  return isResponse(value) && isSendable(value);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

function notAResponse(label: string, ctx: RequestContext, value: unknown): EspalierError {
  const route = ctx.route === undefined ? "no route" : `${ctx.route.method} ${ctx.route.pattern}`;
  const got = describe(value);
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `${label} of ${route} returned ${got} instead of a Response to send. ` +
      "Return one of the response helpers, or what next() gave.",
  );
}

function describe(value: unknown): string {
  if (isResponse(value)) return "a Response whose body has been read";
  return value === null ? "null" : typeof value;
}
