import { clientAddress as find, parseTrustProxy } from "./client-address.ts";
import { forwardedUrl } from "./forwarded-url.ts";
import type { ClientAddressFinder } from "./request-parts.ts";

/**
 * Provides `ctx.ip` and the option `trustProxy`.
 *
 * @example new Application({ clientAddress, trustProxy: 1 }); // both from `espalier/core`
 */
export const clientAddress: ClientAddressFinder = { find, parseTrustProxy, forwardedUrl };
