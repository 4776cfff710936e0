import { badHost, createHostCheck } from "./host-header.ts";
import { problemFromError } from "./problem-details.ts";

/** Matches URLs that a parser may rewrite: a backslash, or a segment with a leading dot, also encoded. */
const unresolved = /\\|\/(?:\.|%2e)/i;

/**
 * A backslash in the path, which a URL parser reads as a slash, but an upstream proxy or guard as an ordinary
 * character. In a query, browsers send it unencoded.
 */
const backslashInPath = /^[^?#]*\\/;

/** `#` or a control character: a URL parser cuts off the URL at the former and rewrites the latter. */
const invalidAnywhere = /[#\0-\x20\x7f]/;

/** Returns whether a request target has only characters that all URL parsers interpret in the same way. */
export function isValidTarget(target: string): boolean {
  return !invalidAnywhere.test(target) && !backslashInPath.test(target);
}

/** Returns the 400 response to a request with an invalid target, whose URL cannot be matched. */
export function badTarget(): Response {
  return problemFromError({
    status: 400,
    detail: "The target of the request is not valid.",
  });
}

/**
 * Returns the normalised URL of a request, or a 400 response if its URL is not valid.
 *
 * @param hasRawTarget true if the server copies the raw request target into the URL: then `#` is a
 *   character of the path, and not the beginning of a fragment
 */
export type UrlResolver = (request: Request, hasRawTarget: boolean) => string | Response;

/**
 * Creates the {@link UrlResolver} of a server that has not parsed the URL.
 *
 * Deno and workerd copy the raw request target and Host header into `request.url`, so that
 * `/files/../secret` would give a wildcard the value `../secret` on these platforms only, and
 * `Host: a/b` would change the path.
 *
 * @param clearHostOf returns the Host header from the URL of a request; undefined if the headers must be read
 * @param hasValidHost returns true if a server in front of the application has checked the Host header. Asked for the
 *   first request only: in workerd, the header takes more time than matching, and all requests arrive in the same way.
 */
export function createUrlResolver(
  clearHostOf: (url: string) => string | undefined = () => undefined,
  hasValidHost: (request: Request) => boolean = () => false,
): UrlResolver {
  const isValid = createHostCheck();
  let areHostsValid: boolean | undefined;
  return function resolveUrl(request, hasRawTarget) {
    const { url } = request;
    areHostsValid ??= hasValidHost(request);
    if (areHostsValid) return resolve(url);
    if (hasRawTarget && url.includes("#")) return badTarget();
    const known = clearHostOf(url);
    if (known === undefined || !isValid(known)) {
      const host = request.headers.get("host");
      // A request that was not received by a server may lack the header; its URL is already parsed.
      if (host !== null && !(isValid(host) && isValid(hostIn(url)))) return badHost();
      // Without a Host header, which only HTTP/1.0 allows, Bun's URL consists of the path only.
      if (host === null && url.startsWith("/")) return resolve(`http://localhost${url}`);
    }
    // Bun omits a host that would make the URL invalid.
    return url.startsWith("/") ? badHost() : resolve(url);
  };
}

/** Returns the host in a URL. It is not the header's if the target of the request has one (RFC 9112, 3.2.2). */
function hostIn(url: string): string {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

function resolve(url: string): string | Response {
  if (!unresolved.test(url)) return url;
  return !backslashInPath.test(url) && URL.canParse(url) ? new URL(url).href : badTarget();
}
