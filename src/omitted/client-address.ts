import type * as full from "../http/client-address-finder.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

const refuse = (): never => refuseOmitted("client-address");

/** Refuses `ctx.ip` and the option `trustProxy`. */
export const clientAddress: typeof full.clientAddress = {
  find: refuse,
  parseTrustProxy: refuse,
  forwardedUrl: refuse,
};
