/** Discards its argument: for failures that are handled elsewhere. */
export function ignore(): void {}

/** Handles the rejection of a promise that is refused: nothing awaits it, so its rejection would end the process. */
export function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(ignore);
}
