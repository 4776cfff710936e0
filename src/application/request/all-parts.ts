import { clientAddress } from "../../http/client-address-finder.ts";
import { createCookies } from "../../http/cookies.ts";
import { multipart } from "../../http/multipart/multipart.ts";
import type { RequestParts } from "../../http/request-parts.ts";
import { createTraceContext } from "../../http/trace-context.ts";

/** The parts of a context that the application of `espalier` has. */
export const allRequestParts: Required<RequestParts> = {
  cookies: createCookies,
  trace: createTraceContext,
  clientAddress,
  multipart,
};
