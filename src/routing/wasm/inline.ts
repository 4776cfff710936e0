import base64 from "virtual:router-wasm-base64";
import { decodeTrustedBase64 } from "../../platform/decode-base64.ts";
import { explainPattern as explain } from "../pattern.ts";
import { createReferenceMatcher } from "../reference-matcher.ts";
import type { MatcherOptions, PatternError, RouteMatcher } from "../route-match.ts";

/**
 * Compiles the router from bytes that the build has put into this file.
 *
 * `undefined` where the host forbids it: a page whose Content-Security-Policy lacks
 * `wasm-unsafe-eval`, or an edge sandbox without code generation. The matcher written in
 * TypeScript answers there.
 */
function compileRouter(): WebAssembly.Module | undefined {
  if (typeof WebAssembly !== "object") return undefined;
  try {
    return new WebAssembly.Module(decodeTrustedBase64(base64));
  } catch {
    return undefined;
  }
}

const module: WebAssembly.Module | undefined = compileRouter();
export default module;

/** Makes the matcher that answers where there is no module. */
export const createFallback: ((options: MatcherOptions) => RouteMatcher) | undefined =
  createReferenceMatcher;

/** What is wrong with a pattern that was refused, said at greater length than the module does. */
export const explainPattern: ((pattern: string) => PatternError | undefined) | undefined = explain;
