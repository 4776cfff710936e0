/**
 * Whether a value is a Response, also one of another realm or of a package of its own, for which
 * `instanceof` says no.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}
