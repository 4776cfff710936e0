import { readFileSync } from "node:fs";
import { createWasmMatcher } from "../../src/routing/matcher.ts";
import type { MatcherOptions, RouteMatcher } from "../../src/routing/route-match.ts";

/** The committed module, as bytes and compiled. */
const routerBytes: Uint8Array<ArrayBuffer> = new Uint8Array(
  readFileSync(new URL("../../router-wasm/pkg/router.wasm", import.meta.url)),
);
export const routerModule: WebAssembly.Module = new WebAssembly.Module(routerBytes);

/** A matcher on an instance of the committed module. */
export function wasmMatcher(
  options: MatcherOptions = { ignoreTrailingSlash: false },
): RouteMatcher {
  return createWasmMatcher(routerModule, options);
}
