import type * as full from "../../queue/wrong-names.ts";

/** Leaves the methods undefined. */
export const rejectWrongNames: typeof full.rejectWrongNames = () => {};
