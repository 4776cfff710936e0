import type * as full from "../routing/url.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

/** Refuses `router.url`. */
export const createUrlBuilder: typeof full.createUrlBuilder = () => refuseOmitted("urls");
