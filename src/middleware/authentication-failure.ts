import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { requestSummary } from "../http/request-summary.ts";
import { markPrivate } from "./cache-control.ts";

/** The challenge of the bearer scheme (RFC 6750 section 3). */
export const bearerChallenge = 'Bearer realm="api"';

/** Challenge of a guard: how it requests credentials. */
export interface Challenge {
  /** The value of `WWW-Authenticate` (RFC 9110 section 11.6.1). */
  readonly challenge: string;
  /** The request header that carries the credentials, for `Vary`. */
  readonly header: string;
}

/**
 * Returns the 401 error of a guard and emits `auth.failed` with the reason.
 *
 * The response is the same for every reason: telling the client which check failed would only help
 * an attacker.
 */
export function authenticationFailure(
  ctx: RequestContext,
  reason: string,
  { challenge, header }: Challenge,
): HttpError {
  // The event bus has logged a failing handler by the time this rejects.
  ctx.internalInput.services.events
    .emit("auth.failed", { ...requestSummary(ctx), reason })
    .catch(() => {});
  const headers = new Headers({ "www-authenticate": challenge });
  // A cached 401 would be served to clients with valid credentials.
  markPrivate(headers, header);
  return new HttpError(401, "Valid credentials are required.", { headers });
}
