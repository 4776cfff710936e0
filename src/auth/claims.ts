import type { User } from "../register.ts";

/**
 * Claims of a token (RFC 7519 section 4). Times are in seconds since the epoch.
 *
 * `user` is the argument of {@link Auth.generateToken}; tokens of other issuers may lack it.
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
 * Clock skew between two machines: `iat` may be this many seconds in the future.
 */
const clockDifferenceSeconds = 30;

/**
 * Returns true if registered claims have the types that RFC 7519 requires.
 *
 * Times must be finite: JSON's `1e400` parses to Infinity, which never expires.
 */
export function haveRegisteredTypes(claims: Readonly<Record<string, unknown>>): boolean {
  const { exp, nbf, iat, sub, iss, jti } = claims;
  return isTime(exp) && isTime(nbf) && isTime(iat) && isText(sub) && isText(iss) && isText(jti);
}

function isTime(claim: unknown): boolean {
  return claim === undefined || Number.isFinite(claim);
}

function isText(claim: unknown): boolean {
  return claim === undefined || typeof claim === "string";
}

/** Returns true if `iat` is in the future by more than the allowed clock skew. */
export function isIssuedInFuture(
  claims: Claims,
  nowSeconds: number,
  toleranceSeconds: number,
): boolean {
  return (
    claims.iat !== undefined && claims.iat > nowSeconds + toleranceSeconds + clockDifferenceSeconds
  );
}

/** Returns true if a token names its subject. */
export function hasSubject({ sub }: Claims): boolean {
  return sub !== undefined && sub !== "";
}

/**
 * Returns the user of a token: its claim `user`, with `sub` as `id`. Returns `undefined` if the
 * token identifies no user.
 *
 * @param isForeign true if another party signs the tokens: there `sub` identifies the user, and a
 *   different `user.id` does not count
 */
export function userOf(claims: Claims, isForeign: boolean): User | undefined {
  const { sub, user } = claims;
  const own: { readonly id?: unknown } =
    typeof user === "object" && user !== null && !Array.isArray(user) ? user : {};
  if (!hasSubject(claims) && own.id === undefined) return undefined;
  // `sub` is always a string: a numeric id is restored.
  const isSubject = typeof own.id === "number" && String(own.id) === sub;
  const keepsId = isForeign ? isSubject : own.id !== undefined;
  // Unchecked cast: the application declares the type of its users.
  return (keepsId ? { ...own } : { ...own, id: sub }) as User;
}
