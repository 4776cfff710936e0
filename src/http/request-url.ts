/** What a URL parser would resolve: a backslash, and a segment that begins with a dot, also encoded. */
const unresolved = /\\|\/(?:\.|%2e)/i;

/**
 * The URL of a request as a URL parser spells it.
 *
 * Deno and workerd put the target of the request line into `request.url` as it was sent, so that
 * `/files/../secret` would give a wildcard the value `../secret` there, and nowhere else.
 */
export function resolvedUrl(url: string): string {
  if (!unresolved.test(url)) return url;
  try {
    return new URL(url).href;
  } catch {
    return url;
  }
}
