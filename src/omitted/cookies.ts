import type * as full from "../http/lazy-cookies.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

/** Refuses `ctx.cookies`. */
export const createLazyCookies: typeof full.createLazyCookies = () => refuseOmitted("cookies");
