import routerModule, { createFallback } from "#router-wasm";
import { EspalierError } from "../errors.ts";
import { createWasmMatcher } from "./matcher.ts";
import type { MatcherOptions, RouteMatcher } from "./route-match.ts";

/**
 * Creates the WebAssembly matcher, or the TypeScript fallback if the platform forbids WebAssembly; see
 * `engine` for which one is used.
 *
 * @throws EspalierError `ERR_ROUTE_NO_MATCHER` if a bundler has left the module out
 */
export function createMatcher(options: MatcherOptions): RouteMatcher {
  if (routerModule !== undefined) return createWasmMatcher(routerModule, options);
  if (createFallback !== undefined) return createFallback(options);
  throw new EspalierError(
    "ERR_ROUTE_NO_MATCHER",
    "The router's WebAssembly module is missing from the bundle. Let the bundler import `.wasm` " +
      "files as compiled modules, as wrangler does, or build without its `workerd` condition.",
  );
}
