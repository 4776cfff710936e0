import type * as full from "../../../application/boot/policy-order-warning.ts";

/** Does not check the order of middleware. */
export const warnAboutPolicyOrder: typeof full.warnAboutPolicyOrder = () => {};
