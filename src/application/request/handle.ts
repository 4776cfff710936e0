import { completeHead } from "#host";
import { isBuffered } from "#response";
import { RequestContext } from "../../http/context.ts";
import type {
  PlatformArguments,
  RequestEvents,
  RequestServices,
} from "../../http/context-input.ts";
import { mutableResponse, withoutBody } from "../../http/headers.ts";
import type { RouteMatcher } from "../../routing/route-match.ts";
import type { CompiledRoutes } from "../boot/compile.ts";

type ReportCompleted = ReturnType<RequestEvents["observeCompletion"]>;

/**
 * Handles one request: matches it once, then runs the middleware and handler compiled for its route. Never
 * throws or rejects: the chain renders every error.
 */
export function handle(
  services: RequestServices,
  matcher: RouteMatcher,
  compiled: CompiledRoutes,
  request: Request,
  platform: PlatformArguments,
): Response | Promise<Response> {
  const resolved = services.host.resolveUrl(request, platform.hasRawTarget === true);
  if (typeof resolved !== "string") return resolved;
  const url =
    services.options.trustProxy === false
      ? resolved
      : forwardedUrl(services, resolved, request, platform);
  // Read once: in workerd each access to a request property crosses into native code.
  const { method } = request;
  const match = matcher.find(method, url);
  const found = isRoutable(method) ? compiled.find(match.route) : undefined;
  // Infrastructure is allowed for every host: probes send an address, or over HTTP/1.0 no host at all.
  const refusal = found?.route.internal === true ? undefined : services.options.refuseHost?.(url);
  if (refusal !== undefined) return refusal;
  const reportCompleted = services.requestEvents?.observeCompletion();
  const ctx = new RequestContext({
    services,
    request,
    method,
    url,
    platform,
    match,
    route: found?.route,
    bodyParsing: mayHaveBody(method) ? (found ?? compiled).bodyParsing : undefined,
  });
  const run = found?.run ?? compiled.withoutRoute;
  const response = run(ctx);
  return response instanceof Promise
    ? finishLater(services, ctx, response, reportCompleted)
    : finish(services, ctx, response, reportCompleted);
}

/** A function of its own: a closure would be created for synchronous responses too. */
function finishLater(
  services: RequestServices,
  ctx: RequestContext,
  pending: Promise<Response>,
  reportCompleted: ReportCompleted,
): Promise<Response> {
  return pending.then((response) => finish(services, ctx, response, reportCompleted));
}

/** Returns the response to send, and reports it. */
function finish(
  services: RequestServices,
  ctx: RequestContext,
  response: Response,
  reportCompleted: ReportCompleted,
): Response {
  ctx.internalBody?.release();
  const final = finalise(ctx, response);
  reportCompleted?.(ctx, final.status);
  const { watchBody } = services.host;
  if (watchBody === undefined || ctx.method === "HEAD" || isBuffered(final)) return final;
  return watchBody(final, (error, isExpected) => RequestContext.failBody(ctx, error, isExpected));
}

/** Returns the URL that the client has requested from the trusted proxies. */
function forwardedUrl(
  services: RequestServices,
  url: string,
  request: Request,
  platform: PlatformArguments,
): string {
  return services.options.parts.clientAddress.forwardedUrl(url, { request, platform, services });
}

/** A request of the platform with TRACE or CONNECT cannot be created, and one with GET or HEAD has no body. */
function mayHaveBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && isRoutable(method);
}

/** TRACE and CONNECT are meant for proxies; a route for all methods does not receive them. */
function isRoutable(method: string): boolean {
  return method !== "TRACE" && method !== "CONNECT";
}

/** Adds the cookies that were set, and removes the body of a HEAD response. */
function finalise(ctx: RequestContext, response: Response): Response {
  const cookies = RequestContext.usedCookies(ctx);
  const final = cookies === undefined ? response : mutableResponse(response);
  cookies?.applyTo(final.headers);
  return ctx.method === "HEAD" ? headResponse(final) : final;
}

/** Returns the HEAD response in the form that the server requires. */
export function headResponse(response: Response): Response {
  return completeHead(withoutBody(response));
}
