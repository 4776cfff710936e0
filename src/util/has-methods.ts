/** Returns the first of these methods that a value lacks; undefined if it has all of them. */
export function missingMethod<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => typeof Object(value)[name] !== "function");
}

/** Checks whether a value is an object with these methods. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === "object" && missingMethod(value, names) === undefined;
}
