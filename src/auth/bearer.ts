/**
 * Returns the token of an `Authorization: Bearer …` header (RFC 6750 section 2.1): a case-insensitive
 * scheme and exactly one token. Tokens in the query or in cookies are ignored.
 *
 * @returns undefined if the header is absent or has another scheme; `""` if it has this scheme without
 *   exactly one token
 */
export function bearerToken(headers: Headers): string | undefined {
  const value = headers.get("authorization");
  if (value === null || !/^bearer(?: |$)/i.test(value)) return undefined;
  const token = value.slice("bearer".length).replace(/^ +/, "");
  return /[\s,]/.test(token) ? "" : token;
}
