import type { MiddlewareObject, Next, RequestContext } from "espalier";

/**
 * Lets clients cache a response: `cache:60` on a route is one minute.
 *
 * Only successful responses are cached: a cached 404 would hide a book that was just added.
 */
export class CacheMiddleware implements MiddlewareObject {
  async handle(_ctx: RequestContext, next: Next, seconds = "0"): Promise<Response> {
    const response = await next();
    if (response.ok || response.status === 304) {
      response.headers.set("cache-control", `public, max-age=${Number(seconds)}`);
    }
    return response;
  }
}
