import type { HostCheck } from "../../../http/host-header.ts";
import { isNamed } from "./node-headers.ts";
import type { IncomingMessage } from "./node-messages.ts";

/** What a URL parser leaves as it is: no dot segment, and no character that it would encode. */
const resolved = /^(?:\/(?!\.|%2e)[\w!$%&()*+,;=:@~.-]*)+(?:\?[\w!$%&()*+,;=:@~./?-]*)?$/i;

/**
 * Whether the Host header of a request of Node names a host, and is there once.
 *
 * Node keeps the first of two and drops the other; a proxy may have routed by that one.
 */
export function hasValidHost(incoming: IncomingMessage, isValid: HostCheck): boolean {
  if (incoming.httpVersionMajor !== 1) return isValid(hostOf(incoming));
  const { host } = incoming.headers;
  return isValid(host ?? null) && countOf("host", incoming.rawHeaders) === 1;
}

/** HTTP/2 has a field of its own for the host (RFC 9113, 8.3.1), and can be without any. */
function hostOf({ headers }: IncomingMessage): string {
  return String(headers[":authority"] ?? headers.host ?? "localhost");
}

/**
 * The URL of a request of Node whose host is valid, as a URL parser spells it; undefined when the request line
 * has no target for us.
 */
export function urlOf(incoming: IncomingMessage): string | undefined {
  const { url: target = "/" } = incoming;
  const scheme = incoming.socket?.encrypted === true ? "https://" : "http://";
  const origin = scheme + hostOf(incoming);
  if (resolved.test(target)) return origin + target;
  // The other forms of RFC 9112, 3.2, and what a URL parser has to look at.
  if (target.startsWith("/")) return new URL(origin + target).href;
  if (target === "*") return `${origin}/*`;
  if (!URL.canParse(target)) return undefined;
  const { protocol, host, pathname, search } = new URL(target);
  if ((protocol !== "http:" && protocol !== "https:") || host === "") return undefined;
  // Whoever speaks to us in the clear does so, whatever the target says.
  return scheme + host + pathname + search;
}

/** A thousand names and their values: as many headers as Node takes by itself. */
const mostRawHeaders = 2000;

/**
 * Whether a request of Node has so many headers that some may be missing. Node 20 drops those beyond a thousand
 * without a word: a second Host, a Content-Length, the address that a proxy has added at the end.
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
