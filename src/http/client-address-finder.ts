import { parseTrustProxy, clientAddress as verifiedAddress } from "./client-address.ts";
import { clientAddressInput } from "./client-address-input.ts";
import { forwardedUrl } from "./forwarded-url.ts";
import type { ClientAddressFinder } from "./request-parts.ts";

/**
 * Provides `ctx.ip` and the option `trustProxy`.
 *
 * @example new Application({ clientAddress, trustProxy: 1 }); // both from `espalier/core`
 */
export const clientAddress: ClientAddressFinder = {
  find: (received) => verifiedAddress(clientAddressInput(received)),
  parseTrustProxy,
  forwardedUrl: (url, received) => forwardedUrl(url, clientAddressInput(received)),
};
