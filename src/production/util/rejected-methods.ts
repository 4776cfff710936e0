import type * as full from "../../util/rejected-methods.ts";

/** Leaves the methods undefined. */
export const rejectMethods: typeof full.rejectMethods = () => {};
