import type * as full from "../../util/nearest-names.ts";

/** Returns no suggestion. */
export const nearestNames: typeof full.nearestNames = () => "";

/** Returns no name. */
export const findNearNames: typeof full.findNearNames = () => [];
