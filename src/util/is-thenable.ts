/** Checks whether `await` would wait for a value: a promise, or an object with a method `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise ||
    (typeof value === "object" && typeof (value as PromiseLike<unknown>)?.then === "function")
  );
}
