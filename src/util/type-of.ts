/** The kind of a value, for a message that does not repeat it: `typeof`, which says `object` of null too. */
export function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/**
 * What was given in place of something else, for a message that is not to repeat it.
 *
 * @example typeOf({}); // "a value of type object"
 */
export function typeOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
}
