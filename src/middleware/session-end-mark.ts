/**
 * Returns the string that is stored for a session that has ended.
 *
 * @param replacedBy id of the session that now has its values; only for `destroy`, never for a visitor
 */
export function endMark(replacedBy?: string): string {
  return JSON.stringify({ ended: true, replacedBy });
}

/** Returns the id in a mark; undefined if the session was not replaced, or the text is not a mark. */
export function readReplacement(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { replacedBy } = Object(JSON.parse(text));
    return typeof replacedBy === "string" ? replacedBy : undefined;
  } catch {
    return undefined;
  }
}
