import type { ContextInput } from "./context-input.ts";
import type { AddressRange } from "./ip-address.ts";

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

/** A request with what its platform and application know about its client, such as the input of its context. */
export type ReceivedRequest = Pick<ContextInput, "request" | "platform" | "services">;

/** Returns what determines the address of a request's client. */
export function clientAddressInput({
  request,
  platform,
  services,
}: ReceivedRequest): ClientAddressInput {
  // The server of listen() sets the socket's address here; a plain Request has none.
  const { ip } = request as { ip?: string };
  return {
    headers: request.headers,
    socketAddress: platform.socketAddress ?? ip,
    onCloudflare: services.onCloudflare,
    trustProxy: services.options.trustProxy,
  };
}
