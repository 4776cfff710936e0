import type { RequestContext } from "../http/context.ts";
import { parseIp } from "../http/ip-address.ts";

/** Client that a limiter counts a request for. */
export interface Requester {
  /** Keeps a user whose id looks like an address apart from that address. */
  readonly kind: "user" | "ip" | "custom" | "unknown";
  readonly id: string;
}

/** Returns the authenticated user, else the client's network, else one key for all unknown clients. */
export function findRequester(ctx: RequestContext): Requester {
  const userId = idOf(ctx.user);
  if (userId !== undefined) return { kind: "user", id: userId };
  const { ip } = ctx;
  return ip === undefined ? { kind: "unknown", id: "unknown" } : { kind: "ip", id: networkOf(ip) };
}

/**
 * Returns an IPv4 address unchanged, and the /64 network of an IPv6 address: a client can choose the other
 * bits freely, and would get a new limit with each. An IPv4-mapped address has no colons: `ip` is canonical.
 */
function networkOf(ip: string): string {
  const groups = ip.includes(":") ? parseIp(ip) : undefined;
  if (groups === undefined) return ip;
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/**
 * Returns the key under which a store counts. Keys longer than 256 characters are hashed: their content may
 * come from the client, which must not control the memory usage.
 */
export async function storeKey(limiter: string, requester: Requester): Promise<string> {
  const key = `${limiter}|${requester.kind}:${requester.id}`;
  if (key.length <= 256) return key;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `${limiter}|sha256:${hex.join("")}`;
}

function idOf(user: unknown): string | undefined {
  if (typeof user !== "object" || user === null || !("id" in user)) return undefined;
  const { id } = user;
  return typeof id === "string" || typeof id === "number" || typeof id === "bigint"
    ? String(id)
    : undefined;
}
