import routerModule, { createFallback } from "#router-wasm";
import { missingMatcher } from "../util/missing-part.ts";
import { DeferredMatcher } from "./deferred-matcher.ts";
import { createWasmMatcher } from "./matcher.ts";
import type { MatcherOptions, RouteMatcher } from "./route-match.ts";

/**
 * Creates the WebAssembly matcher, whose module is instantiated when it is needed, or the TypeScript fallback if the
 * platform forbids WebAssembly; see `engine` for which one is used.
 *
 * @throws EspalierError `ERR_ROUTE_NO_MATCHER` if a bundler has left the module out
 */
export function createMatcher(options: MatcherOptions): RouteMatcher {
  const module = routerModule;
  if (module !== undefined) return new DeferredMatcher(() => createWasmMatcher(module, options));
  if (createFallback !== undefined) return createFallback(options);
  throw missingMatcher();
}
