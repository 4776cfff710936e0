import { createProblemDetailsResponse } from "./problem-details.ts";

/** An ordinary host: its last label begins with a letter, so that no parser has to look at it. */
const usualHost = /^(?!.*xn--)(?:[\w-]+\.)*[a-z][\w-]*(?::\d{1,4})?$/i;

/** `host[:port]` of RFC 9110, 7.2: names, IPv4 and bracketed IPv6, and nothing a URL would read as more. */
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns whether a Host header names a host and nothing else.
 *
 * The URL of a request is built from it, so that `Host: a/../b?` would make another path of the same
 * request, and a guard would look at the wrong one.
 */
export function isValidHost(host: string | null): boolean {
  if (host === null) return false;
  // `256.1.1.1`, `a:99999` and `xn--a` look like hosts, and make no URL.
  return usualHost.test(host) || (hostPattern.test(host) && URL.canParse(`http://${host}/`));
}

/** Returns whether a Host header names a host and nothing else, as {@link isValidHost}. */
export type HostCheck = (host: string | null) => boolean;

/** Creates a check that remembers the host of the last request: nearly all are for the same one. */
export function createHostCheck(): HostCheck {
  let known: string | undefined;
  return function checkHost(host) {
    if (host !== null && host === known) return true;
    if (!isValidHost(host)) return false;
    known = host ?? undefined;
    return true;
  };
}

/** Returns the response to a request whose Host header is not valid: there is no URL to match. */
export function badHost(): Response {
  return createProblemDetailsResponse({ status: 400, detail: "The Host header is not valid." });
}
