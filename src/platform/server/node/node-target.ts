import { type HostCheck, isValidHost } from "../../../http/host-header.ts";
import { isValidTarget } from "../../../http/request-url.ts";
import { isNamed } from "./node-headers.ts";
import type { IncomingMessage } from "./node-messages.ts";

/** Matches a target that URL parsing leaves unchanged: no dot segments, nothing to percent-encode. */
const resolved = /^(?:\/(?!\.|%2e)[\w!$%&()*+,;=:@~.-]*)+(?:\?[\w!$%&()*+,;=:@~./?-]*)?$/i;

/**
 * Returns `true` for a single valid Host header, or for none over HTTP/1.0, which does not require it.
 *
 * Node silently keeps the first of two, but a proxy may have routed by the second.
 */
export function hasValidHost(incoming: IncomingMessage, isValid: HostCheck): boolean {
  if (incoming.httpVersionMajor !== 1) return isValid(hostOf(incoming)) && hasOneHost(incoming);
  const { host } = incoming.headers;
  if (host === undefined) return incoming.httpVersion === "1.0";
  return isValid(host) && countOf("host", incoming.rawHeaders) === 1;
}

/** Returns `false` if HTTP/2's `:authority` and a Host header differ: the request is malformed (RFC 9113, 8.3.1). */
function hasOneHost({ headers }: IncomingMessage): boolean {
  const { host, ":authority": authority } = headers;
  return host === undefined || authority === undefined || isNamed(host, authority.toLowerCase());
}

/** Returns the host; HTTP/2 sends it as `:authority` (RFC 9113, 8.3.1). Default: `localhost`. */
function hostOf({ headers }: IncomingMessage): string {
  return String(headers[":authority"] ?? headers.host ?? "localhost");
}

/**
 * Returns the normalised URL of a request whose host is valid; undefined when its target is invalid.
 */
export function urlOf(incoming: IncomingMessage): string | undefined {
  const { url: target = "/" } = incoming;
  const scheme = incoming.socket?.encrypted === true ? "https://" : "http://";
  const origin = scheme + hostOf(incoming);
  if (resolved.test(target)) return origin + target;
  if (!isValidTarget(target)) return undefined;
  // The other forms of RFC 9112, 3.2, and targets that need URL parsing.
  if (target.startsWith("/")) return new URL(origin + target).href;
  if (target === "*") return `${origin}/*`;
  if (!URL.canParse(target)) return undefined;
  const { protocol, host, pathname, search } = new URL(target);
  // A URL may have more characters in its host than a Host header, such as quotes.
  if ((protocol !== "http:" && protocol !== "https:") || !isValidHost(host)) return undefined;
  // Use the connection's scheme, not the one in an absolute-form target.
  return scheme + host + pathname + search;
}

/** A thousand names with their values: Node's own limit. */
const mostRawHeaders = 2000;

/**
 * Returns `true` if the request has so many headers that some may be missing. Node 20 silently drops headers
 * after the 1,000th: a second Host, a Content-Length, or the client address that a proxy appends.
 */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > mostRawHeaders;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (isNamed(rawHeaders[i], name)) count += 1;
  }
  return count;
}
