/** Whether a value has to be awaited: what is at hand can be used without giving up the turn. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
