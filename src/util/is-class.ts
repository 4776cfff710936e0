/**
 * Whether a function was written as a class, and would therefore throw when called without `new`.
 */
export function isClass(value: unknown): boolean {
  return typeof value === "function" && Function.prototype.toString.call(value).startsWith("class");
}
