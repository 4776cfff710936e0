import { problemFromError } from "./problem-details.ts";

/** Fast path for common hosts: the last label begins with a letter, so the URL parser is not needed. */
const usualHost = /^(?!.*xn--)(?:[\w-]+\.)*[a-z][\w-]*(?::\d{1,4})?$/i;

/** `host[:port]` (RFC 9110, 7.2): names, IPv4 and bracketed IPv6, without characters special in a URL. */
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns whether a Host header names a host and nothing else.
 *
 * The URL of a request is built from it, so `Host: a/../b?` would change the path, and a guard would check
 * the wrong one.
 */
export function isValidHost(host: string | null): boolean {
  if (host === null) return false;
  // `256.1.1.1`, `a:99999` and `xn--a` match the pattern but are not valid in a URL.
  return usualHost.test(host) || (hostPattern.test(host) && URL.canParse(`http://${host}/`));
}

/** Returns whether a Host header names a host and nothing else, as {@link isValidHost}. */
export type HostCheck = (host: string | null) => boolean;

/** Creates a check that caches the last valid host: nearly all requests have the same one. */
export function createHostCheck(): HostCheck {
  let known: string | undefined;
  return function checkHost(host) {
    if (host !== null && host === known) return true;
    if (!isValidHost(host)) return false;
    known = host ?? undefined;
    return true;
  };
}

/** Returns the 400 response to a request with an invalid Host header, whose URL cannot be matched. */
export function badHost(): Response {
  return problemFromError({ status: 400, detail: "The Host header is not valid." });
}
