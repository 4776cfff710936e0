/**
 * Returns true for a string of 1 to `maxLength` characters without lone surrogates: engines whose strings are UTF-8 would
 * take two such names for one, or deliver nothing under them.
 */
export function isName(value: unknown, maxLength: number): value is string {
  return (
    typeof value === "string" && value !== "" && value.length <= maxLength && value.isWellFormed()
  );
}
