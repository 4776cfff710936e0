import type * as full from "../http/trace-context.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

/** Refuses `ctx.trace`. */
export const createTraceContext: typeof full.createTraceContext = () => refuseOmitted("trace");
