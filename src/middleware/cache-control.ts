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
 * @param varyOn the request header that identified the client: `Authorization`, `Cookie`
 */
export function markPrivate(headers: Headers, varyOn: string): void {
  const given = headers.get("cache-control");
  const directives = directivesOf(given);
  if (directives.some((one) => one === "public" || one.startsWith("s-maxage="))) return;
  appendVary(headers, varyOn);
  if (directives.includes("private") || directives.includes("no-store")) return;
  // A bare max-age allows shared caches too: RFC 9111 exempts only the header Authorization.
  headers.set("cache-control", given === null ? "private" : `private, ${given}`);
}

/** The directives of a value of `Cache-Control`, in lower case. */
function directivesOf(value: string | null): readonly string[] {
  if (value === null) return [];
  return value
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
}
