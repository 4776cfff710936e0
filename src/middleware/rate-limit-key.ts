import type { RequestContext } from "../http/context.ts";
import { parseIp } from "../http/ip-address.ts";
import { toStorableText } from "../util/storable-text.ts";

/** Client that a limiter counts a request for. */
export interface Requester {
  /** Keeps a user whose id looks like an address apart from that address. */
  readonly kind: "user" | "ip" | "custom" | "unknown";
  readonly id: string;
}

/**
 * Returns the authenticated user, else the client's network, else one key for all unknown clients.
 *
 * @param ipv6Prefix length of the IPv6 networks, in bits
 */
export function findRequester(ctx: RequestContext, ipv6Prefix: number): Requester {
  const userId = userIdOf(ctx.user);
  if (userId !== undefined) return { kind: "user", id: userId };
  const { ip } = ctx;
  if (ip === undefined) return { kind: "unknown", id: "unknown" };
  return { kind: "ip", id: networkOf(ip, ipv6Prefix) ?? ip };
}

/**
 * Returns the network of an IPv6 address, such as `2001:db8:0:1::/64`; undefined for an IPv4 address. A client
 * can choose the bits behind its network freely, and would get a new limit with each. An IPv4-mapped address
 * has no colons: `ctx.ip` is canonical.
 */
export function networkOf(ip: string, prefix: number): string | undefined {
  const groups = ip.includes(":") ? parseIp(ip) : undefined;
  if (groups === undefined) return undefined;
  const network = groups.slice(0, Math.ceil(prefix / 16)).map((group, index) => {
    const bits = Math.min(16, prefix - index * 16);
    return (group & (0xffff << (16 - bits))).toString(16);
  });
  return `${network.join(":")}${network.length < 8 ? "::" : ""}/${prefix}`;
}

/**
 * Returns the key under which a store counts. Its content may come from the client: characters that an engine would
 * refuse are escaped, and keys longer than 256 characters are hashed, so that the client does not control the memory
 * usage.
 */
export async function storeKey(limiter: string, requester: Requester): Promise<string> {
  const key = toStorableText(`${limiter}|${requester.kind}:${requester.id}`);
  if (key.length <= 256) return key;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `${limiter}|sha256:${hex.join("")}`;
}

/** Returns the id of a user; undefined without one that is a string, number or bigint. */
export function userIdOf(user: unknown): string | undefined {
  if (typeof user !== "object" || user === null || !("id" in user)) return undefined;
  const { id } = user;
  return typeof id === "string" || typeof id === "number" || typeof id === "bigint"
    ? String(id)
    : undefined;
}
