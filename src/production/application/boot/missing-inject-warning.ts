import type * as full from "../../../application/boot/missing-inject-warning.ts";

/** Does not check the constructors. */
export const warnAboutMissingInject: typeof full.warnAboutMissingInject = () => {};
