import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { hasMethods } from "../util/has-methods.ts";
import { isClass } from "../util/is-class.ts";
import { notAMiddleware, notAnInstance } from "./bad-middleware.ts";
import { isResponse } from "./is-response.ts";
import type {
  BeforeAfterMiddleware,
  Middleware,
  MiddlewareFunction,
  MiddlewareObject,
} from "./middleware.ts";

/**
 * Converts any form of middleware into a function.
 *
 * @param label how the error names it: `use()`, or the name it was registered under
 * @throws EspalierError `ERR_PIPELINE_BAD_MIDDLEWARE` for a value of no form
 */
export function normaliseMiddleware(middleware: Middleware, label: string): MiddlewareFunction {
  if (typeof middleware === "function") {
    // Refused at boot: calling a class would fail only on the first request.
    if (isClass(middleware)) {
      throw notAnInstance(label, middleware);
    }
    return middleware;
  }
  if (isHandling(middleware)) {
    return (ctx, next, ...args) => middleware.handle(ctx, next, ...args);
  }
  if (isHook(middleware)) return hooksToFunction(middleware, label);
  throw notAMiddleware(label, middleware);
}

function hooksToFunction(hooks: BeforeAfterMiddleware, label: string): MiddlewareFunction {
  return async (ctx, next) => {
    const early: unknown = await hooks.before?.(ctx);
    if (isResponse(early)) return early;
    // Otherwise a guard that returns `false` or an error object would let the request pass.
    if (early !== undefined && early !== null) throw notAResponse(label, early);
    const response = await next();
    return (await hooks.after?.(ctx, response)) ?? response;
  };
}

function notAResponse(label: string, value: unknown): EspalierError {
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `before() of the middleware ${label} returned ${kindOf(value)} instead of a Response to send. ` +
      "Return a response helper such as error(message, 403), or nothing to continue.",
  );
}

function isHandling(value: unknown): value is MiddlewareObject {
  return hasMethods(value, "handle");
}

function isHook(value: unknown): value is BeforeAfterMiddleware {
  return hasMethods(value, "before") || hasMethods(value, "after");
}
