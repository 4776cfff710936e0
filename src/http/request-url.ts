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
 *
 * @param isHostToldByUrl whether the URL begins with the Host header, of which there is only one, so that
 *   headers need a look only where the URL leaves a doubt
 */
export function createUrlResolver(isHostToldByUrl: boolean): UrlResolver {
  const isValid = createHostCheck();
  return function resolveUrl(request) {
    const { url } = request;
    const told = isHostToldByUrl ? clearHostOf(url) : undefined;
    if (told === undefined || !isValid(told)) {
      const host = request.headers.get("host");
      // A request that no server has read may have no header, and then a parser has made its URL.
      if (host !== null && !isValid(host)) return undefined;
    }
    // Bun leaves the host out of a URL that it cannot make with it.
    if (url.startsWith("/")) return undefined;
    if (!unresolved.test(url)) return url;
    return URL.canParse(url) ? new URL(url).href : undefined;
  };
}

/**
 * The Host header of a URL that cannot have been read wrongly: one with a slash would leave a second slash in
 * the URL. In Deno looking at the headers takes a tenth of the time of a small request.
 */
function clearHostOf(url: string): string | undefined {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  if (end === -1 || url.includes("/", end + 1)) return undefined;
  const host = url.slice(start, end);
  // That is what Deno says where the header is empty.
  return host.startsWith("localhost") ? undefined : host;
}
