import type * as full from "../../../application/boot/response-check.ts";

/** Returns the handler: the option `validateResponses` has no effect. */
export const checkResponses: typeof full.checkResponses = (handler) => handler;
