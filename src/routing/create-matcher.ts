import routerModule from "#router-wasm";
import { createWasmMatcher } from "./matcher.ts";
import { createReferenceMatcher } from "./reference-matcher.ts";
import type { MatcherOptions, RouteMatcher } from "./route-match.ts";

/**
 * Creates the compiled matcher, or the one in TypeScript where the host forbids WebAssembly;
 * `engine` tells which it is.
 */
export function createMatcher(options: MatcherOptions): RouteMatcher {
  if (routerModule === undefined) return createReferenceMatcher(options);
  return createWasmMatcher(routerModule, options);
}
