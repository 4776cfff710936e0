import { createContainer } from "../../container/container.ts";
import { createHostRefusal } from "../../http/allowed-hosts.ts";
import { clientAddress } from "../../http/client-address-finder.ts";
import { createLazyCookies } from "../../http/lazy-cookies.ts";
import { lazyMultipart } from "../../http/multipart/lazy-multipart.ts";
import type { RequestParts } from "../../http/request-parts.ts";
import { createTraceContext } from "../../http/trace-context.ts";
import { createUrlBuilder } from "../../routing/url.ts";

/** The parts that the application of `espalier` has; it loads `bodies` when a route may have one. */
export const allRequestParts: Required<Omit<RequestParts, "bodies">> = {
  cookies: createLazyCookies,
  trace: createTraceContext,
  clientAddress,
  hostCheck: createHostRefusal,
  multipart: lazyMultipart,
  container: createContainer,
  urls: createUrlBuilder,
};
