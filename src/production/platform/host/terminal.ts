import type * as full from "../../../platform/host/terminal.ts";

/** Writes JSON everywhere. */
export const formatForTerminal: typeof full.formatForTerminal = undefined;
