import { addressChain } from "./client-address.ts";
import type { ClientAddressInput } from "./client-address-input.ts";
import { removeHopByHopFields } from "./hop-by-hop.ts";
import type { HeadersInit } from "./web-types.ts";

/** Headers to set on the forwarded request; `undefined` or `null` removes one. */
export type ProxyHeaders = HeadersInit | Readonly<Record<string, string | null | undefined>>;

/** Input for the headers of a forwarded request. */
export interface ForwardedRequest {
  readonly headers: Headers;
  /** The URL as the client has requested it. */
  readonly url: URL;
  readonly addresses: ClientAddressInput;
  /** False sends no forwarding headers. */
  readonly isForwarded: boolean;
  readonly overrides: ProxyHeaders;
}

/**
 * Headers by which proxies, content delivery networks and hosting platforms tell a server the client's address, and
 * the scheme, host or path of the original request: an upstream could trust a client's own.
 */
const forwardingFields: ReadonlySet<string> = new Set([
  "cf-connecting-ip",
  "cf-connecting-ipv6",
  "cf-pseudo-ipv4",
  "client-ip",
  "do-connecting-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "forwarded",
  "forwarded-for",
  "front-end-https",
  "true-client-ip",
  "x-appengine-user-ip",
  "x-azure-clientip",
  "x-azure-socketip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-forwarded",
  "x-host",
  "x-original-host",
  "x-original-method",
  "x-original-uri",
  "x-original-url",
  "x-originating-ip",
  "x-real-ip",
  "x-remote-addr",
  "x-remote-ip",
  "x-rewrite-url",
  "x-url-scheme",
]);

/**
 * Returns the headers of a forwarded request: those of the client without the ones of its connection, with
 * `X-Forwarded-For`, `-Proto` and `-Host` and `Forwarded` (RFC 7239).
 *
 * Of the client's own forwarding headers only addresses remain that trusted proxies have added.
 */
export function forwardedHeaders(request: ForwardedRequest): Headers {
  const headers = new Headers([...request.headers]);
  removeHopByHopFields(headers);
  // The server in front has handled it: it would make the upstream wait, and Node's fetch() refuses it.
  headers.delete("expect");
  // From the URL of the upstream.
  headers.delete("host");
  // fetch() decodes the body, which is impossible for a part of an encoded one (Fetch standard).
  if (headers.has("range")) headers.set("accept-encoding", "identity");
  for (const name of [...headers.keys()]) if (isForwardingField(name)) headers.delete(name);
  if (request.isForwarded) addForwardingFields(headers, request);
  override(headers, request.overrides);
  return headers;
}

function isForwardingField(name: string): boolean {
  // PHP and WSGI read both alike (RFC 3875 section 4.1.18): X_Forwarded_For would be X-Forwarded-For.
  const plain = name.replaceAll("_", "-");
  return plain.startsWith("x-forwarded-") || forwardingFields.has(plain);
}

function addForwardingFields(headers: Headers, { url, addresses }: ForwardedRequest): void {
  const proto = url.protocol.slice(0, -1);
  const chain = addressChain(addresses).toReversed();
  if (chain.length > 0) headers.set("x-forwarded-for", chain.join(", "));
  headers.set("x-forwarded-proto", proto);
  headers.set("x-forwarded-host", url.host);
  const [client = "unknown", ...proxies] = chain;
  const first = `for=${forwardedNode(client)};host="${url.host}";proto=${proto}`;
  const others = proxies.map((address) => `for=${forwardedNode(address)}`);
  headers.set("forwarded", [first, ...others].join(", "));
}

/** Returns an address as the value of a parameter (RFC 7239, 6): IPv6 is in brackets and quoted. */
function forwardedNode(address: string): string {
  return address.includes(":") ? `"[${address}]"` : address;
}

function override(headers: Headers, given: ProxyHeaders): void {
  const entries = isIterable(given) ? given : Object.entries(given);
  const seen = new Set<string>();
  for (const [name, value] of entries as Iterable<[string, string | null | undefined]>) {
    if (value === null || value === undefined) headers.delete(name);
    // A name may be given several times.
    else if (seen.has(name.toLowerCase())) headers.append(name, value);
    else headers.set(name, value);
    seen.add(name.toLowerCase());
  }
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}
