import type { User } from "../register.ts";

/**
 * What a token says (RFC 7519 section 4). Times are seconds since the epoch.
 *
 * `user` is what {@link Auth.generateToken} was given; a token made elsewhere may lack it.
 */
export interface Claims {
  readonly sub?: string;
  readonly iss?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly iat?: number;
  readonly jti?: string;
  readonly user?: unknown;
  readonly [name: string]: unknown;
}

/**
 * The clocks of two machines are never equal: a token may be this much younger than we think it can
 * be.
 */
const clockDifferenceSeconds = 30;

/**
 * Whether registered claims have the types that RFC 7519 gives them.
 *
 * JSON knows numbers that are no time: `1e400` reads as Infinity, which never expires.
 */
export function haveRegisteredTypes(claims: Readonly<Record<string, unknown>>): boolean {
  const { exp, nbf, iat, sub, iss, jti } = claims;
  const times = [exp, nbf, iat].filter((value) => value !== undefined);
  const texts = [sub, iss, jti].filter((value) => value !== undefined);
  return (
    times.every((value) => Number.isFinite(value)) &&
    texts.every((value) => typeof value === "string")
  );
}

/** Whether a token says that it was issued in the future, beyond what clocks differ by. */
export function isIssuedInFuture(
  claims: Claims,
  nowSeconds: number,
  toleranceSeconds: number,
): boolean {
  return (
    claims.iat !== undefined && claims.iat > nowSeconds + toleranceSeconds + clockDifferenceSeconds
  );
}

/** Who a token stands for: its `user` claim, with its subject as `id` unless the claim has one. */
export function userOf(claims: Claims): User {
  const { sub, user } = claims;
  const own = typeof user === "object" && user !== null && !Array.isArray(user) ? user : {};
  // What an application puts into its tokens is what it declares its user to be.
  return (sub === undefined ? { ...own } : { id: sub, ...own }) as User;
}
