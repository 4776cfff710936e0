import { RequestContext } from "../../http/context.ts";
import { HttpError } from "../../http/http-error.ts";
import { noContent } from "../../http/responses.ts";
import type { Handler } from "../../pipeline/compose.ts";
import { pathOfUrl } from "../../routing/request-path.ts";
import type { MatchStatus, RouteMatcher } from "../../routing/route-match.ts";
import { expectedResponse } from "./error-handler.ts";

/**
 * Creates the innermost handler of unmatched requests: 404, 405 with `Allow`,
 * 400 for an invalid percent-encoding, 414 for a path that is too long, and 204 with `Allow` for OPTIONS on a
 * path that has routes.
 *
 * @param methodNotAllowed false responds with 404 instead of 405
 * @param isObserved returns whether the application renders errors, so that one must be created
 */
export function createUnmatchedHandler(
  matcher: RouteMatcher,
  methodNotAllowed: boolean,
  isObserved: () => boolean,
): Handler {
  return function answerWithoutRoute(ctx) {
    const { status } = ctx.internalInput.match;
    const allow = allowHeader(
      status === 200 || status === 405 ? matcher.allowedMethods(ctx.href) : [],
    );
    if (allow !== "" && ctx.method === "OPTIONS") {
      const response = noContent();
      response.headers.set("allow", allow);
      return response;
    }
    const problem = problemOf(ctx, status, methodNotAllowed ? allow : "");
    if (isObserved()) throw errorOf(problem);
    // Created lazily: capturing a stack trace would dominate the cost of a scan for unknown paths.
    RequestContext.useError(ctx, () => errorOf(problem));
    return expectedResponse(problem, ctx);
  };
}

interface OutcomeProblem {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function problemOf(ctx: RequestContext, status: MatchStatus, allow: string): OutcomeProblem {
  if (status === 400) return { status, detail: "The path has an escape that cannot be decoded." };
  if (status === 414) return { status, detail: "The path is longer than 16384 bytes." };
  const path = shortened(pathOfUrl(ctx.href) ?? "/");
  if (allow === "") return { status: 404, detail: `No route matches ${ctx.method} ${path}.` };
  return {
    status: 405,
    detail: `${ctx.method} is not allowed for ${path}.`,
    headers: { allow },
  };
}

function errorOf({ status, detail, headers }: OutcomeProblem): HttpError {
  return new HttpError(status, detail, headers === undefined ? {} : { headers });
}

/** Methods listed in `Allow` for a route of all methods. */
const everyMethod = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

/** RFC 9110, 10.2.1. Includes OPTIONS because this handler responds to it. */
function allowHeader(methods: readonly string[]): string {
  if (methods.length === 0) return "";
  const named = methods.flatMap((method) => (method === "ALL" ? everyMethod : method));
  return [...new Set([...named, "OPTIONS"])].join(", ");
}

/** Shortens the path, so that a hostile one does not inflate the response. */
function shortened(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}…`;
}
