import { EspalierError } from "../errors.ts";
import {
  type AddressRange,
  canonicalIp,
  isInRange,
  parseAddressRange,
  parseIp,
} from "./ip-address.ts";

/** Which proxies are trusted: none, a number of hops, or addresses and CIDR ranges. */
export type TrustProxy = false | number | readonly string[];

/** A `TrustProxy` that has been checked. */
export type TrustedProxies = false | number | readonly AddressRange[];

/** What is known about where a request came from. */
export interface ClientAddressInput {
  readonly headers: Headers;
  /** Address of the other end of the connection; `undefined` in-process. */
  readonly socketAddress: string | undefined;
  /** True on Cloudflare, which sets `CF-Connecting-IP` itself; elsewhere a client could. */
  readonly onCloudflare: boolean;
  readonly trustProxy: TrustedProxies;
}

/**
 * Checks the `trustProxy` option, once for an application.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_TRUST_PROXY` for a number that is no whole number of hops, or a
 *   text that is neither an address nor a CIDR range
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
 * The address of the client in canonical form; `undefined` when the platform tells none.
 *
 * The connection's own address counts, `CF-Connecting-IP` on Cloudflare. `X-Forwarded-For` is read only
 * behind trusted proxies and from its right end, where they wrote: what stands further left is
 * whatever the client liked to send.
 */
export function clientAddress(input: ClientAddressInput): string | undefined {
  const { headers, onCloudflare, socketAddress, trustProxy } = input;
  const connecting = onCloudflare ? headers.get("cf-connecting-ip") : socketAddress;
  const peer = canonicalIp(connecting ?? "");
  if (peer === undefined || trustProxy === false || trustProxy === 0) return peer;

  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",");
  // Cloudflare has already added the connecting address; elsewhere nobody has.
  if (onCloudflare && forwardedAddress(forwarded.at(-1)) === peer) forwarded.pop();

  let client = peer;
  for (let hops = 0; isTrusted(client, hops, trustProxy); hops += 1) {
    // Read one by one: a client may have sent thousands, and proxies are few.
    const next = forwardedAddress(forwarded.pop());
    // The list is at its end, or a proxy wrote no address: what is known is the proxy.
    if (next === undefined) return client;
    client = next;
  }
  return client;
}

/** Whether the address that is `hops` steps away from us is a proxy of ours. */
function isTrusted(
  address: string,
  hops: number,
  trustProxy: number | readonly AddressRange[],
): boolean {
  if (typeof trustProxy === "number") return hops < trustProxy;
  const groups = parseIp(address);
  return groups !== undefined && trustProxy.some((range) => isInRange(groups, range));
}

/** One entry of `X-Forwarded-For`: some proxies write a port, and brackets around IPv6. */
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
