import type * as full from "../../application/router-methods.ts";

/** Leaves the methods undefined. */
export const rejectRouterMethods: typeof full.rejectRouterMethods = () => {};
