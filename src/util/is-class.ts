/** Checks whether a value is a class, which throws when called without `new`. */
export function isClass(value: unknown): boolean {
  if (typeof value !== "function" || value.prototype === undefined) return false;
  // Only a class has a read-only prototype; a compiler may have rewritten its source text.
  if (Object.getOwnPropertyDescriptor(value, "prototype")?.writable !== false) return false;
  // So has a function that is frozen, which only its source text distinguishes.
  return !Object.isFrozen(value) || /^(class|@)/.test(Function.prototype.toString.call(value));
}
