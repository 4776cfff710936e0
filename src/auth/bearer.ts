/**
 * The token of an `Authorization: Bearer …` header (RFC 6750 section 2.1): the scheme in any case,
 * and exactly one token. Nowhere else is a token looked for, neither in the query nor in a cookie.
 *
 * @returns undefined when the header is absent or of another scheme; `""` when it is of this scheme
 *   and holds no single token
 */
export function bearerToken(headers: Headers): string | undefined {
  const value = headers.get("authorization");
  if (value === null || !/^bearer(?: |$)/i.test(value)) return undefined;
  const token = value.slice("bearer".length).replace(/^ +/, "");
  return /[\s,]/.test(token) ? "" : token;
}
