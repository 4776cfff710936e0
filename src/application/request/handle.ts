import { isParsed, limitUnparsedBody, mayHaveBody, readBody } from "../../http/body.ts";
import {
  type PlatformArguments,
  RequestContext,
  type RequestServices,
} from "../../http/context.ts";
import { mutableResponse, withoutBody, withUnreadBody } from "../../http/headers.ts";
import type { Handler } from "../../pipeline/compose.ts";
import type { RouteMatcher } from "../../routing/route-match.ts";
import type { CompiledRoutes } from "../boot/compile.ts";
import { reportCompleted } from "./request-events.ts";

/**
 * A request's whole way (specification, Request flow): matched once, then through the chain that was
 * built for its route at boot. It never throws or rejects: the chain renders every failure.
 */
export function handle(
  host: RequestServices,
  matcher: RouteMatcher,
  compiled: CompiledRoutes,
  request: Request,
  invocation: PlatformArguments,
): Response | Promise<Response> {
  const url = host.resolveUrl(request, invocation.hasRawTarget === true);
  if (typeof url !== "string") return url;
  // Read once: in workerd every look at a request leaves the engine.
  const { method } = request;
  const match = matcher.find(method, url);
  const found = isRoutable(method) ? compiled.find(match.route) : undefined;
  const startedAt = host.events.has("request.completed") ? performance.now() : undefined;
  const ctx = new RequestContext({
    services: host,
    request,
    method,
    url,
    platform: invocation,
    match,
    route: found?.route,
  });
  const run = found?.run ?? compiled.withoutRoute;
  const limits = found?.bodyLimits;
  const finish = (response: Response): Response => {
    const final = finished(host, ctx, response);
    if (startedAt !== undefined) {
      reportCompleted(host.events, ctx, final.status, performance.now() - startedAt);
    }
    return final;
  };
  if (limits === undefined || !mayHaveBody(method)) return respond(ctx, run, finish);
  if (!isParsed(request)) {
    RequestContext.receiveBody(ctx, limitUnparsedBody(request, limits.limitBytes, host.isFramed));
    return respond(ctx, run, finish);
  }
  return readBody(request, limits, host.isFramed).then(
    (content) => {
      RequestContext.receiveBody(ctx, content);
      return respond(ctx, run, finish);
    },
    (failure: unknown) => {
      // It is told later, where validation starts, inside all middleware.
      RequestContext.receiveBody(ctx, { ...unreadable, failure });
      return respond(ctx, run, finish);
    },
  );
}

const unreadable = { body: undefined, rawBody: undefined, kind: "none" } as const;

function respond(
  ctx: RequestContext,
  run: Handler,
  finish: (response: Response) => Response,
): Response | Promise<Response> {
  const response = run(ctx);
  return response instanceof Promise ? response.then(finish) : finish(response);
}

/** TRACE and CONNECT speak to proxies; a route of every method does not answer them. */
function isRoutable(method: string): boolean {
  return method !== "TRACE" && method !== "CONNECT";
}

/** What is true of every response: cookies that were set are on it, and HEAD has no body. */
function finished(host: RequestServices, ctx: RequestContext, response: Response): Response {
  const cookies = RequestContext.usedCookies(ctx);
  const final = cookies === undefined ? response : mutableResponse(response);
  cookies?.applyTo(final.headers);
  return ctx.method === "HEAD" ? headResponse(host, final) : final;
}

/** The answer to HEAD, as the server needs it. */
export function headResponse(host: RequestServices, response: Response): Response {
  return host.countsBodies ? withUnreadBody(response) : withoutBody(response);
}
