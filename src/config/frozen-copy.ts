/**
 * Returns a deep-frozen copy of lists and plain objects, so that configuration cannot be modified at run
 * time. Class instances, such as bindings or dates, are passed through unchanged.
 *
 * Cyclic values are not supported: they overflow the stack.
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
