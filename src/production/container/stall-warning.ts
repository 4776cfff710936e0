import type * as full from "../../container/stall-warning.ts";

/** Does not watch the service. */
export const warnWhenStalled: typeof full.warnWhenStalled = () => {};
