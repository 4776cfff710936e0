import { EspalierError } from "../errors.ts";
import type { ClientAddressInput, TrustedProxies, TrustProxy } from "./client-address-input.ts";
import { forwardedElements } from "./forwarded.ts";
import {
  type AddressRange,
  canonicalIp,
  isInRange,
  parseAddressRange,
  parseIp,
} from "./ip-address.ts";

/**
 * Parses the `trustProxy` option, once per application.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_TRUST_PROXY` for a negative or fractional number of hops, or a
 *   string that is neither an address nor a CIDR range
 */
export function parseTrustProxy(option: TrustProxy): TrustedProxies {
  if (option === false) return false;
  if (typeof option === "number") {
    if (!Number.isSafeInteger(option) || option < 0) throw badTrustProxy(option);
    return option;
  }
  if (!Array.isArray(option)) throw badTrustProxy(option);
  return option.map((text: unknown) => {
    const range = typeof text === "string" ? parseAddressRange(text) : undefined;
    if (range === undefined) throw badTrustProxy(text);
    return range;
  });
}

/**
 * Returns the client's IP address in canonical form; `undefined` if the platform provides none.
 *
 * Uses the connection's peer address, or `CF-Connecting-IP` on Cloudflare. Forwarding headers are read only
 * behind trusted proxies and from their right end, where they append: entries further left can be forged by
 * the client.
 */
export function clientAddress(input: ClientAddressInput): string | undefined {
  return addressChain(input).at(-1);
}

/**
 * Returns the verified addresses of a request, from the connection's peer to the client: all but the last are
 * trusted proxies. Empty if the platform provides no address.
 */
export function addressChain(input: ClientAddressInput): readonly string[] {
  const { headers, onCloudflare, socketAddress, trustProxy } = input;
  const connecting = onCloudflare ? headers.get("cf-connecting-ip") : socketAddress;
  const peer = canonicalIp(connecting ?? "");
  if (peer === undefined) return [];
  if (trustProxy === false || trustProxy === 0) return [peer];

  const forwarded = forwardedFor(headers);
  // Cloudflare has already appended the connecting address; other platforms do not.
  if (onCloudflare && forwardedAddress(forwarded.at(-1)) === peer) forwarded.pop();

  const chain = [peer];
  for (let client = peer; isTrusted(client, chain.length - 1, trustProxy); ) {
    // Parsed one by one: a client may have sent thousands of entries, but proxies are few.
    const next = forwardedAddress(forwarded.pop());
    // End of the list, or an entry that is not an address: the proxy is the last known address.
    if (next === undefined) break;
    chain.push(next);
    client = next;
  }
  return chain;
}

/**
 * Returns the number of trusted proxies that the request has passed; 0 if its headers are the client's own.
 */
export function trustedHops(input: ClientAddressInput): number {
  const { trustProxy } = input;
  // Also without an address, as in a test: the peer is a proxy by definition.
  if (typeof trustProxy === "number") return trustProxy;
  if (trustProxy === false) return 0;
  const chain = addressChain(input);
  return chain.filter((address, hops) => isTrusted(address, hops, trustProxy)).length;
}

/** Returns whether the address that is `hops` hops away is a trusted proxy. */
function isTrusted(
  address: string,
  hops: number,
  trustProxy: number | readonly AddressRange[],
): boolean {
  if (typeof trustProxy === "number") return hops < trustProxy;
  const groups = parseIp(address);
  return groups !== undefined && trustProxy.some((range) => isInRange(groups, range));
}

/** Returns the unparsed client addresses of the forwarding headers, as proxies have appended them. */
function forwardedFor(headers: Headers): string[] {
  const elements = forwardedElements(headers);
  if (elements !== undefined) return elements.map((element) => element.get("for") ?? "");
  return (headers.get("x-forwarded-for") ?? "").split(",");
}

/** Parses one entry: proxies may add a port, and brackets around IPv6. */
function forwardedAddress(entry = ""): string | undefined {
  const text = entry.trim();
  const withPort = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text);
  return canonicalIp(withPort?.[1] ?? withPort?.[2] ?? text);
}

function badTrustProxy(value: unknown): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BAD_TRUST_PROXY",
    'The option "trustProxy" must be false, a number of proxies, or a list of addresses and CIDR ranges ' +
      `such as "10.0.0.0/8", got ${JSON.stringify(value)}.`,
  );
}
