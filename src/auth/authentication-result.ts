import type { User } from "../register.ts";
import type { Claims } from "./claims.ts";

/**
 * Reason why a request or token was rejected, for logs and events. Clients get the same response for
 * each.
 */
export type AuthenticationFailure =
  /** No `Authorization` header of the scheme. */
  | "missing"
  /** Not exactly one token, or not a valid JWS in compact form (RFC 7515). */
  | "malformed"
  /** Signed with an unsupported algorithm. */
  | "algorithm"
  /** No configured key matches its algorithm and `kid`. */
  | "unknown-key"
  | "signature"
  | "expired"
  | "not-yet-valid"
  | "issuer"
  | "audience"
  /** A claim is missing or invalid, for example `exp`. */
  | "claims"
  | "revoked"
  /** `resolveUser` returned null or undefined. */
  | "unknown-user"
  /** The issuer's keys are temporarily unavailable; the token may be valid. */
  | "keys-unavailable";

/** Result of {@link Auth.authenticate}: the user, or the reason for the failure. */
export type AuthenticationResult =
  | { readonly user: User; readonly claims: Claims; readonly reason?: undefined }
  | { readonly user: null; readonly claims?: undefined; readonly reason: AuthenticationFailure };
