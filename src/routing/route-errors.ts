import { EspalierError } from "../errors.ts";
import { nearestNames } from "../util/nearest-names.ts";
import type { PatternError } from "./route-match.ts";

/** The route that another one conflicts with. */
type Conflict = { readonly method: string; readonly pattern: string };

/** Creates the error for a pattern that the matcher refuses. */
export function patternError(method: string, pattern: string, cause: PatternError): EspalierError {
  const message = `${method} ${pattern || '""'} cannot be registered. ${cause.message}`;
  return new EspalierError("ERR_ROUTE_PATTERN", message, { cause });
}

/** Creates the error for a route that exists already. */
export function duplicateError(
  method: string,
  pattern: string,
  conflict: Conflict,
  cause: PatternError,
): EspalierError {
  const message =
    conflict.pattern === pattern
      ? `${method} ${pattern} is registered already. Remove one of the two.`
      : `${method} ${pattern} has the same shape as ${conflict.method} ${conflict.pattern}, ` +
        "which is registered already, so it would never be reached. Remove one of the two.";
  return new EspalierError("ERR_ROUTE_DUPLICATE", message, { cause });
}

/** Creates the error for a name that another route has. */
export function takenName(
  name: string,
  method: string,
  pattern: string,
  taken: Conflict,
): EspalierError {
  return new EspalierError(
    "ERR_ROUTE_NAME_DUPLICATE",
    `The name "${name}" of ${method} ${pattern} is already that of ${taken.method} ` +
      `${taken.pattern}. Give one of the two another name.`,
  );
}

/** Creates the error for a name without a route. */
export function unknownName(name: string, known: readonly string[]): EspalierError {
  return new EspalierError(
    "ERR_ROUTE_UNKNOWN_NAME",
    `No route is named "${name}".${nearestNames(name, known)} ` +
      'Set a name in the options of a route: { name: "…" }.',
  );
}
