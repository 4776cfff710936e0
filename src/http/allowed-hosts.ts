import { badOption } from "../util/options.ts";
import { isValidHost } from "./host-header.ts";
import { problemFromError } from "./problem-details.ts";

/** Returns the 421 response to a request whose URL has a host that is not served (RFC 9110, 15.5.20). */
export type RefuseHost = (url: string) => Response | undefined;

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "Application" } as const;

/**
 * Provides the option `allowedHosts`.
 *
 * An entry without a port allows every port. `*.example.com` allows all subdomains of any depth, not
 * `example.com` itself.
 *
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION` for a value that is not a list of hosts
 * @example new Application({ hostCheck, allowedHosts: ["example.com"] }); // both from `espalier/core`
 */
export function createHostRefusal(hosts: readonly string[]): RefuseHost {
  const isAllowed = createAllowedHostCheck(readEntries(hosts));
  return (url) => (isAllowed(url) ? undefined : misdirectedRequest());
}

function readEntries(hosts: unknown): readonly string[] {
  const entries = Array.isArray(hosts) ? hosts.map(normalHostEntry) : [];
  if (entries.length > 0 && entries.every((entry) => entry !== undefined)) return entries;
  throw badOption(
    owner,
    "allowedHosts",
    hosts,
    'a list of hosts such as "example.com" or "*.example.com"',
  );
}

/**
 * Returns an entry of `allowedHosts` in lower case; undefined if it is not valid: a host name or IP address,
 * with a port or without, or `*.` before a domain.
 */
function normalHostEntry(entry: unknown): string | undefined {
  if (typeof entry !== "string") return undefined;
  const host = entry.startsWith("*.") ? entry.slice(2) : entry;
  return isValidHost(host) && !host.endsWith(".") ? entry.toLowerCase() : undefined;
}

function createAllowedHostCheck(entries: readonly string[]): (url: string) => boolean {
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

function misdirectedRequest(): Response {
  return problemFromError({
    status: 421,
    detail: "This server does not serve the requested host.",
  });
}
