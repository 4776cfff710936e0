import { type ErrorCode, EspalierError } from "../../errors.ts";
import type * as full from "../../routing/route-errors.ts";

/** Creates the error for a pattern that the matcher refuses. */
export const patternError: typeof full.patternError = (method, pattern, cause) => {
  const message = `${method} ${pattern} cannot be registered. ${cause.message}`;
  return new EspalierError("ERR_ROUTE_PATTERN", message, { cause });
};

/** Creates an error that does not say what to do about the two routes. */
export const duplicateError: typeof full.duplicateError = (method, pattern, conflict, cause) =>
  conflictError("ERR_ROUTE_DUPLICATE", `${method} ${pattern}`, conflict, cause);

/** Creates an error that does not say what to do about the two routes. */
export const takenName: typeof full.takenName = (name, method, pattern, taken) =>
  conflictError("ERR_ROUTE_NAME_DUPLICATE", `The name "${name}" of ${method} ${pattern}`, taken);

/** Creates an error without the nearest names. */
export const unknownName: typeof full.unknownName = (name) =>
  new EspalierError("ERR_ROUTE_UNKNOWN_NAME", `No route is named "${name}".`);

function conflictError(
  code: ErrorCode,
  subject: string,
  other: { readonly method: string; readonly pattern: string },
  cause?: Error,
): EspalierError {
  const message = `${subject} conflicts with ${other.method} ${other.pattern}.`;
  return new EspalierError(code, message, { cause });
}
