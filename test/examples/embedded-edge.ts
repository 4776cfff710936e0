import * as route from "../../examples/embedded/next/app/api/[[...path]]/route.ts";

type RouteHandler = (
  request: Request,
  segment: { readonly params: Promise<object> },
) => Promise<Response>;

/** What Next looks handlers up by; `runtime` is there too. */
const handlers = new Map<string, unknown>(Object.entries(route));

// Calls the route as Next does: by the method, with the segments of the path beside the request.
addEventListener("fetch", (event: unknown) => {
  const { request, respondWith } = event as {
    request: Request;
    respondWith(response: Promise<Response>): void;
  };
  const [, ...path] = new URL(request.url).pathname.split("/").filter(Boolean);
  const handler = handlers.get(request.method) as RouteHandler;
  respondWith.call(event, handler(request, { params: Promise.resolve({ path }) }));
});
