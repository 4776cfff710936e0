import type * as full from "../../routing/pattern-reasons.ts";

/** As in development. */
export const duplicate: typeof full.duplicate = 1;

/** No sentences: the message of a `PatternError` has the position. */
export const reasons: typeof full.reasons = [];
