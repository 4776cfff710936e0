import type { Middleware, MiddlewareMetadata } from "./middleware.ts";
import { parseMiddlewareReference } from "./middleware-reference.ts";
import type { MiddlewareRegistry } from "./registry.ts";

/** Returns the global and the named middleware, each in the form in which it was registered. */
export function registeredMiddleware(registry: MiddlewareRegistry): readonly MiddlewareMetadata[] {
  return [...registry.global, ...registry.named.values()].map(({ metadata }) => metadata);
}

/** Returns the middleware of a route's reference as it was registered; undefined for an unknown name. */
export function findMiddleware(
  { named }: MiddlewareRegistry,
  reference: string | Middleware,
): MiddlewareMetadata | undefined {
  if (typeof reference !== "string") return reference;
  return named.get(parseMiddlewareReference(reference).name)?.metadata;
}
