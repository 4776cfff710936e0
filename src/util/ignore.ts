/** Discards its argument: for failures that are handled elsewhere. */
export function ignore(): void {}
