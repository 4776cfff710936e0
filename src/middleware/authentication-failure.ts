import { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { requestSummary } from "../http/request-summary.ts";

/** The challenge of the bearer scheme (RFC 6750 section 3). */
export const bearerChallenge = 'Bearer realm="api"';

/**
 * The error for a request that is not let in, a 401 that is the same for every reason: which check
 * failed helps only whoever tries to get past it. The event `auth.failed` tells the reason.
 *
 * @param challenge value of `WWW-Authenticate`
 */
export function authenticationFailure(
  ctx: RequestContext,
  reason: string,
  challenge: string,
): HttpError {
  // A handler that fails is logged by the bus; without one nothing happens.
  RequestContext.events(ctx)
    .emit("auth.failed", { ...requestSummary(ctx), reason })
    .catch(() => {});
  return new HttpError(401, "Valid credentials are required.", {
    headers: { "www-authenticate": challenge },
  });
}
