import { EspalierError } from "../errors.ts";
import {
  type AddressRange,
  canonicalIp,
  isInRange,
  parseAddressRange,
  parseIp,
} from "./ip-address.ts";

/** The trusted proxies: none, a number of hops, or addresses and CIDR ranges. */
export type TrustProxy = false | number | readonly string[];

/** A parsed `TrustProxy`. */
export type TrustedProxies = false | number | readonly AddressRange[];

/** Inputs that determine the client's address. */
export interface ClientAddressInput {
  readonly headers: Headers;
  /** Address of the connection's peer; `undefined` in-process. */
  readonly socketAddress: string | undefined;
  /** True on Cloudflare, which sets `CF-Connecting-IP`; on other platforms a client could forge it. */
  readonly onCloudflare: boolean;
  readonly trustProxy: TrustedProxies;
}

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
 * Uses the connection's peer address, or `CF-Connecting-IP` on Cloudflare. `X-Forwarded-For` is read only
 * behind trusted proxies and from its right end, where they append: entries further left can be forged by
 * the client.
 */
export function clientAddress(input: ClientAddressInput): string | undefined {
  const { headers, onCloudflare, socketAddress, trustProxy } = input;
  const connecting = onCloudflare ? headers.get("cf-connecting-ip") : socketAddress;
  const peer = canonicalIp(connecting ?? "");
  if (peer === undefined || trustProxy === false || trustProxy === 0) return peer;

  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",");
  // Cloudflare has already appended the connecting address; other platforms do not.
  if (onCloudflare && forwardedAddress(forwarded.at(-1)) === peer) forwarded.pop();

  let client = peer;
  for (let hops = 0; isTrusted(client, hops, trustProxy); hops += 1) {
    // Parsed one by one: a client may have sent thousands of entries, but proxies are few.
    const next = forwardedAddress(forwarded.pop());
    // End of the list, or an entry that is not an address: the proxy is the last known address.
    if (next === undefined) return client;
    client = next;
  }
  return client;
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

/** Parses one entry of `X-Forwarded-For`: some proxies add a port, and brackets around IPv6. */
function forwardedAddress(entry = ""): string | undefined {
  const text = entry.trim();
  const withPort = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text);
  return canonicalIp(withPort?.[1] ?? withPort?.[2] ?? text);
}

function badTrustProxy(value: unknown): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BAD_TRUST_PROXY",
    `trustProxy has ${JSON.stringify(value)}; use false, a number of proxies, or a list of addresses ` +
      'and CIDR ranges such as "10.0.0.0/8".',
  );
}
