import { createContainer } from "../../container/container.ts";
import { createHostRefusal } from "../../http/allowed-hosts.ts";
import { clientAddress } from "../../http/client-address-finder.ts";
import { createCookies } from "../../http/cookies.ts";
import { multipart } from "../../http/multipart/multipart.ts";
import type { RequestParts } from "../../http/request-parts.ts";
import { createTraceContext } from "../../http/trace-context.ts";
import { createUrlBuilder } from "../../routing/url.ts";

/** The parts that the application of `espalier` has; it loads `bodies` when a route may have one. */
export const allRequestParts: Required<Omit<RequestParts, "bodies">> = {
  cookies: createCookies,
  trace: createTraceContext,
  clientAddress,
  hostCheck: createHostRefusal,
  multipart,
  container: createContainer,
  urls: createUrlBuilder,
};
