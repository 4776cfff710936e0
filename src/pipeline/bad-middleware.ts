import { EspalierError } from "../errors.ts";
import { describe, kindOf } from "../util/describe.ts";

/** Creates the error for a class in the place of a middleware. */
export function notAnInstance(label: string, middleware: { readonly name: string }): EspalierError {
  return badMiddleware(
    `${label} got ${describe(middleware)}. Pass an instance: new ${middleware.name || "Class"}(…).`,
  );
}

/** Creates the error for a value of no form of middleware. */
export function notAMiddleware(label: string, value: unknown): EspalierError {
  return badMiddleware(
    `${label} got ${kindOf(value)}. A middleware must be a function (ctx, next), an object with ` +
      "handle(ctx, next), or an object with before(ctx) and after(ctx, response).",
  );
}

/** Creates the error for a name that references cannot have. */
export function badMiddlewareName(name: string): EspalierError {
  return badMiddleware(
    `The middleware name ${JSON.stringify(name)} cannot be used. ` +
      "Choose a name without a colon: what follows one is an argument.",
  );
}

/** Creates the error for several arguments of `use()`. */
export function tooManyMiddleware(count: number): EspalierError {
  return badMiddleware(
    `use() takes one middleware, got ${count} arguments. Call it for each; for one path, use the ` +
      'option "middleware" of router.group().',
  );
}

function badMiddleware(message: string): EspalierError {
  return new EspalierError("ERR_PIPELINE_BAD_MIDDLEWARE", message);
}
