import type { HostCheck } from "../../../http/host-header.ts";
import { isValidTarget } from "../../../http/request-url.ts";
import { isNamed } from "./node-headers.ts";
import type { IncomingMessage } from "./node-messages.ts";

/** A target that a URL parser leaves as it is: no dot segment, and no character that it would encode. */
const resolved = /^(?:\/(?!\.|%2e)[\w!$%&()*+,;=:@~.-]*)+(?:\?[\w!$%&()*+,;=:@~./?-]*)?$/i;

/**
 * Returns whether a request has one valid Host header, or none over HTTP/1.0, which does not require it.
 *
 * Node keeps the first of two and drops the other, by which a proxy may have routed.
 */
export function hasValidHost(incoming: IncomingMessage, isValid: HostCheck): boolean {
  if (incoming.httpVersionMajor !== 1) return isValid(hostOf(incoming));
  const { host } = incoming.headers;
  if (host === undefined) return incoming.httpVersion === "1.0";
  return isValid(host) && countOf("host", incoming.rawHeaders) === 1;
}

/** Over HTTP/2 the host has a field of its own (RFC 9113, 8.3.1). Without any host it is `localhost`. */
function hostOf({ headers }: IncomingMessage): string {
  return String(headers[":authority"] ?? headers.host ?? "localhost");
}

/**
 * Returns the URL of a request whose host is valid, as a URL parser spells it; undefined when its target is not
 * valid.
 */
export function urlOf(incoming: IncomingMessage): string | undefined {
  const { url: target = "/" } = incoming;
  const scheme = incoming.socket?.encrypted === true ? "https://" : "http://";
  const origin = scheme + hostOf(incoming);
  if (resolved.test(target)) return origin + target;
  if (!isValidTarget(target)) return undefined;
  // The other forms of RFC 9112, 3.2, and what a URL parser has to look at.
  if (target.startsWith("/")) return new URL(origin + target).href;
  if (target === "*") return `${origin}/*`;
  if (!URL.canParse(target)) return undefined;
  const { protocol, host, pathname, search } = new URL(target);
  if ((protocol !== "http:" && protocol !== "https:") || host === "") return undefined;
  // The scheme is that of the connection, whatever the target says.
  return scheme + host + pathname + search;
}

/** A thousand names and their values: Node's own limit. */
const mostRawHeaders = 2000;

/**
 * Returns whether a request has so many headers that some may be missing. Node 20 silently drops those beyond a
 * thousand: a second Host, a Content-Length, the address that a proxy has added at the end.
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
