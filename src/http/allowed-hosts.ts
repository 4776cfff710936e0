import { isValidHost } from "./host-header.ts";
import { createProblemDetailsResponse } from "./problem-details.ts";

/** Returns whether the host of a URL is one that the application serves. */
export type AllowedHostCheck = (url: string) => boolean;

/**
 * Returns an entry of `allowedHosts` in lower case; undefined if it is not valid: a host name or IP address,
 * with a port or without, or `*.` before a domain.
 */
export function normalHostEntry(entry: unknown): string | undefined {
  if (typeof entry !== "string") return undefined;
  const host = entry.startsWith("*.") ? entry.slice(2) : entry;
  return isValidHost(host) && !host.endsWith(".") ? entry.toLowerCase() : undefined;
}

/**
 * Creates the check of the option `allowedHosts`.
 *
 * An entry without a port allows every port. `*.example.com` allows all subdomains of any depth, not
 * `example.com` itself.
 *
 * @param entries from {@link normalHostEntry}
 */
export function createAllowedHostCheck(entries: readonly string[]): AllowedHostCheck {
  const exact = new Set(entries.filter((entry) => !entry.startsWith("*.")));
  const suffixes = entries.filter((entry) => entry.startsWith("*.")).map((entry) => entry.slice(1));
  return function isAllowed(url) {
    const start = url.indexOf("://") + 3;
    const host = url.slice(start, url.indexOf("/", start)).toLowerCase();
    const name = host.replace(/:\d*$/, "").replace(/\.$/, "");
    return (
      exact.has(name) ||
      exact.has(host) ||
      suffixes.some((suffix) => name.endsWith(suffix) || host.endsWith(suffix))
    );
  };
}

/** Returns the 421 response to a request for a host that is not served (RFC 9110, 15.5.20). */
export function misdirectedRequest(): Response {
  return createProblemDetailsResponse({
    status: 421,
    detail: "This server does not serve the requested host.",
  });
}
