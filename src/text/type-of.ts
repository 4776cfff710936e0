/**
 * What was given in place of something else, for a message that is not to repeat it.
 *
 * @example typeOf({}); // "a value of type object"
 */
export function typeOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
}
