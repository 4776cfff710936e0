import * as route from "../../examples/embedded/next/app/api/[[...path]]/route.ts";

type RouteHandler = (
  request: Request,
  segment: { readonly params: Promise<object> },
) => Promise<Response>;

/** Exports of a Next.js route handler that are called by method. */
const handlers = new Map<string, unknown>(Object.entries(route));

// Calls the route as Next.js does: by method, with the path's segments as the second argument.
addEventListener("fetch", (event: unknown) => {
  const { request, respondWith } = event as {
    request: Request;
    respondWith(response: Promise<Response>): void;
  };
  const [, ...path] = new URL(request.url).pathname.split("/").filter(Boolean);
  const handler = handlers.get(request.method) as RouteHandler;
  respondWith.call(event, handler(request, { params: Promise.resolve({ path }) }));
});
