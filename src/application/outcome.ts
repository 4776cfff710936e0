import { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { noContent } from "../http/responses.ts";
import type { Handler } from "../pipeline/compose.ts";
import { pathOfUrl } from "../routing/request-path.ts";
import type { RouteMatcher } from "../routing/route-match.ts";

/**
 * Makes the innermost handler of a request that no route answers (specification, Routes, rule 7): 404,
 * 405 with `Allow`, 400 for an escape that cannot be decoded, 414 for a path that is too long, and 204
 * with `Allow` for OPTIONS on a path that has routes.
 *
 * @param methodNotAllowed false answers 404 instead of 405
 */
export function createOutcomeHandler(matcher: RouteMatcher, methodNotAllowed: boolean): Handler {
  return function answerWithoutRoute(ctx) {
    const match = RequestContext.match(ctx);
    if (match.status === 400)
      throw new HttpError(400, "The path has an escape that cannot be decoded.");
    if (match.status === 414) throw new HttpError(414, "The path is longer than 16384 bytes.");
    const { method } = ctx;
    const allow = allowHeader(match.status === 404 ? [] : matcher.allowedMethods(ctx.originalUrl));
    if (allow !== "" && method === "OPTIONS") {
      const response = noContent();
      response.headers.set("allow", allow);
      return response;
    }
    const path = shortened(pathOfUrl(ctx.originalUrl) ?? "/");
    if (allow !== "" && methodNotAllowed) {
      throw new HttpError(405, `${method} is not allowed for ${path}.`, { headers: { allow } });
    }
    throw new HttpError(404, `No route matches ${method} ${path}.`);
  };
}

/** RFC 9110, 10.2.1. OPTIONS is there because this handler answers it. */
function allowHeader(methods: readonly string[]): string {
  return methods.length === 0 ? "" : [...new Set([...methods, "OPTIONS"])].join(", ");
}

/** A hostile path is not to make the answer as long as itself. */
function shortened(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}…`;
}
