import { appendVary } from "../http/vary.ts";

/** Returns true if `Cache-Control` contains a directive without a value (RFC 9111 section 5.2). */
export function hasCacheDirective(headers: Headers, directive: string): boolean {
  return directivesOf(headers.get("cache-control")).includes(directive);
}

/**
 * Keeps a response made for one client out of shared caches: adds `Cache-Control: private`, and the
 * request header that identified the client to `Vary`.
 *
 * A handler that has decided this itself keeps its decision: `private` and `no-store` stay as they
 * are, and a response that is `public` or has `s-maxage` is not changed at all.
 *
 * The guards of the package do this. For custom ones that set `ctx.user`:
 *
 * ```ts
 * const response = await next();
 * markPrivate(response.headers, "X-Client-Certificate");
 * return response;
 * ```
 *
 * @param varyOn the request header that identified the client: `Authorization`, `Cookie`
 */
export function markPrivate(headers: Headers, varyOn: string): void {
  const given = headers.get("cache-control");
  const directives = directivesOf(given);
  if (directives.some(allowsSharing)) return;
  appendVary(headers, varyOn);
  if (directives.includes("private") || directives.includes("no-store")) return;
  // A bare max-age allows shared caches too: RFC 9111 exempts only the header Authorization.
  headers.set("cache-control", given === null ? "private" : `private, ${given}`);
}

/**
 * Does the same for a response that sets a cookie of one client, also against the handler's decision: a shared
 * cache may store `Set-Cookie`, and would send it to other clients (RFC 9111 section 7.3).
 */
export function forcePrivate(headers: Headers, varyOn: string): void {
  const directives = directivesOf(headers.get("cache-control"));
  if (directives.some(allowsSharing)) {
    const kept = directives.filter((directive) => !allowsSharing(directive));
    headers.set("cache-control", ["private", ...kept].join(", "));
  }
  for (const name of fieldsForCdns(headers)) headers.delete(name);
  markPrivate(headers, varyOn);
}

/** Returns true if the handler lets shared caches store a response, by `public`, `s-maxage` or a field for CDNs. */
export function isForSharedCaches(headers: Headers): boolean {
  const directives = directivesOf(headers.get("cache-control"));
  return directives.some(allowsSharing) || fieldsForCdns(headers).length > 0;
}

function allowsSharing(directive: string): boolean {
  return directive === "public" || directive.startsWith("s-maxage=");
}

/** Names of the fields that replace `Cache-Control` for some caches (RFC 9213), such as `CDN-Cache-Control`. */
function fieldsForCdns(headers: Headers): readonly string[] {
  return [...headers.keys()].filter(
    (name) => name.endsWith("cdn-cache-control") || name === "surrogate-control",
  );
}

/** The directives of a value of `Cache-Control`, in lower case. */
function directivesOf(value: string | null): readonly string[] {
  if (value === null) return [];
  return value
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
}
