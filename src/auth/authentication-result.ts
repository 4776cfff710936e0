import type { User } from "../register.ts";
import type { Claims } from "./claims.ts";

/**
 * Why a request or a token was refused, in one word. It is for logs and events: a client gets the
 * same answer for each.
 */
export type AuthenticationFailure =
  /** No `Authorization` header of the scheme. */
  | "missing"
  /** Not one token, or one that is not written as RFC 7515 says. */
  | "malformed"
  /** Signed with an algorithm that there is not. */
  | "algorithm"
  /** None of our keys is for its algorithm and `kid`. */
  | "unknown-key"
  | "signature"
  | "expired"
  | "not-yet-valid"
  | "issuer"
  | "audience"
  /** A claim is missing or wrong, `exp` for instance. */
  | "claims"
  | "revoked"
  /** `resolveUser` knows nobody of it. */
  | "unknown-user"
  /** The issuer's keys cannot be had at the moment; the token may be good. */
  | "keys-unavailable";

/** What {@link Auth.authenticate} finds: a user, or the reason why there is none. */
export type AuthenticationResult =
  | { readonly user: User; readonly claims: Claims; readonly reason?: undefined }
  | { readonly user: null; readonly claims?: undefined; readonly reason: AuthenticationFailure };
