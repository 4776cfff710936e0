import base64 from "virtual:router-wasm-base64";
import type { Logger } from "../../observability/logger.ts";
import { decodeTrustedBase64 } from "../../platform/decode-base64.ts";
import { logSafely } from "../../util/log-safely.ts";
import { explainPattern as explain } from "../pattern.ts";
import { createReferenceMatcher } from "../reference-matcher.ts";
import type { MatcherOptions, PatternError, RouteMatcher } from "../route-match.ts";

/**
 * Compiles the router from bytes that the build inlines into this file.
 *
 * Returns `undefined` if the platform forbids it: a page whose Content-Security-Policy lacks
 * `wasm-unsafe-eval`, or an edge sandbox without code generation. The TypeScript matcher is used there.
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

/** Creates the matcher that is used without the WebAssembly module. */
export const createFallback: ((options: MatcherOptions) => RouteMatcher) | undefined =
  createReferenceMatcher;

/** Explains why a pattern was refused, in more detail than the module does. */
export const explainPattern: ((pattern: string) => PatternError | undefined) | undefined = explain;

/** Logs a warning if the platform forbids WebAssembly, so that routing is slower. */
export function warnAboutFallback({ engine }: RouteMatcher, logger: Logger): void {
  if (engine !== "reference") return;
  const message =
    "WebAssembly is not allowed here, so routes are matched by the slower TypeScript matcher.";
  logSafely(logger, "warn", message);
}
