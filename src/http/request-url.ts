/** What a URL parser would resolve: a backslash, and a segment that begins with a dot, also encoded. */
const unresolved = /\\|\/(?:\.|%2e)/i;

/** A URL whose host is spelled as nearly every one is, so that a parser need not look at it. */
const usualHost = /^https?:\/\/[\w.:[\]-]+\//;

/**
 * The URL of a request as a URL parser spells it; undefined when its host makes none.
 *
 * Deno and workerd put the target of the request line and the Host header into `request.url` as they
 * were sent, so that `/files/../secret` would give a wildcard the value `../secret` there, and nowhere
 * else.
 */
export function resolvedUrl(url: string): string | undefined {
  if (usualHost.test(url) && !unresolved.test(url)) return url;
  try {
    return new URL(url).href;
  } catch {
    return undefined;
  }
}
