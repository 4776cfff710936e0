/**
 * The value, where lists and plain objects are copied and frozen at every depth, so that nobody
 * changes the configuration of everybody. What has a class, such as a binding or a Date, is passed
 * as it is.
 *
 * Cyclic values are not expected here: they overflow the stack.
 */
export function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)] as const);
  return Object.freeze(Object.fromEntries(entries));
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
