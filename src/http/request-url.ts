import { createHostCheck } from "./host-header.ts";

/** What a URL parser would resolve: a backslash, and a segment that begins with a dot, also encoded. */
const unresolved = /\\|\/(?:\.|%2e)/i;

/** Gives the URL of a request as a URL parser spells it; undefined when its Host header is none. */
export type UrlResolver = (request: Request) => string | undefined;

/**
 * Makes the {@link UrlResolver} of a server that has not parsed the URL.
 *
 * Deno and workerd put the target of the request line and the Host header into `request.url` as they
 * were sent, so that `/files/../secret` would give a wildcard the value `../secret` there, and nowhere
 * else, and `Host: a/b` would make another path.
 */
export function createUrlResolver(): UrlResolver {
  const isValid = createHostCheck();
  return function resolveUrl({ url, headers }) {
    const host = headers.get("host");
    // A request that no server has read may have no header, and then a parser has made its URL.
    if (host !== null && !isValid(host)) return undefined;
    // Bun leaves the host out of a URL that it cannot make with it.
    if (url.startsWith("/")) return undefined;
    if (!unresolved.test(url)) return url;
    return URL.canParse(url) ? new URL(url).href : undefined;
  };
}
