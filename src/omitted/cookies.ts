import type * as full from "../http/cookies.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

/** Refuses `ctx.cookies`. */
export const createCookies: typeof full.createCookies = () => refuseOmitted("cookies");
