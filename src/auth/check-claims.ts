import type { ResolvedAuthOptions } from "./auth-options.ts";
import type { AuthenticationFailure } from "./authentication-result.ts";
import { type Claims, isIssuedInFuture } from "./claims.ts";

/** The options that determine which claims are accepted. */
type ClaimOptions = Pick<
  ResolvedAuthOptions,
  "issuer" | "audience" | "clockTolerance" | "requireExp"
>;

/**
 * Returns the reason why the claims of a token with a valid signature are rejected (RFC 7519 section 4.1); undefined if
 * they are accepted.
 *
 * @param claims with registered types, see `haveRegisteredTypes`
 */
export function findClaimsFailure(
  claims: Claims,
  { issuer, audience, clockTolerance, requireExp }: ClaimOptions,
  nowMs: number,
): AuthenticationFailure | undefined {
  const { iss, aud, exp, nbf } = claims;
  if (issuer.length > 0 && (iss === undefined || !issuer.includes(iss))) return "issuer";
  if (audience.length > 0 && !isFor(aud, audience)) return "audience";
  if (exp === undefined && requireExp) return "claims";
  const now = Math.floor(nowMs / 1000);
  if (nbf !== undefined && nbf > now + clockTolerance) return "not-yet-valid";
  if (exp !== undefined && exp <= now - clockTolerance) return "expired";
  return isIssuedInFuture(claims, nowMs / 1000, clockTolerance) ? "not-yet-valid" : undefined;
}

/** Returns whether `aud`, of which the type is not checked before, names one of the recipients. */
function isFor(aud: unknown, recipients: readonly string[]): boolean {
  if (typeof aud === "string") return recipients.includes(aud);
  return Array.isArray(aud) && recipients.some((recipient) => aud.includes(recipient));
}
