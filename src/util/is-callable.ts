import { isClass } from "./is-class.ts";

/** Checks whether a value is a function that can be called; a class throws without `new`. */
export function isCallable(value: unknown): boolean {
  return typeof value === "function" && !isClass(value);
}
