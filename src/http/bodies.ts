import { resolveBodyLimits } from "./body-options.ts";
import { RequestBody, withBodyLimit } from "./context-body.ts";
import type { BodyReader } from "./context-input.ts";

/**
 * Parses JSON and urlencoded forms for an application of `espalier/core`.
 *
 * @example
 * import { Application, bodies } from "espalier/core";
 * const app = new Application({ bodies });
 */
export const bodies: BodyReader = { RequestBody, withBodyLimit, resolveBodyLimits };
