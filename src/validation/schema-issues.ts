import type { FieldError } from "../http/http-error.ts";
import { withoutValue } from "./redact.ts";
import type { StandardIssue } from "./standard-schema.ts";
import { maxErrors } from "./validation-run.ts";

/**
 * Converts the issues of a Standard Schema to field errors, the first one of each field. Values that a
 * library includes in its messages are redacted.
 *
 * @param input the value that the schema validated
 * @param name the field that the schema validates, `address`; or the source, for issues without a path
 * @param isField whether `name` is a prefix of the path: `address.city`
 */
export function errorsOfIssues(
  issues: readonly StandardIssue[],
  input: unknown,
  name: string,
  isField: boolean,
): readonly FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const issue of issues) {
    // Copied first: map() on ArkType's Array subclass would create another instance of the subclass.
    const path = [...(issue.path ?? [])].map(keyOf);
    const parts = isField || path.length === 0 ? [name, ...path] : path;
    const field = parts.map(String).join(".");
    if (errors.has(field)) continue;
    const message = withoutValue(issue.message, valueAt(input, path)) ?? `${field} is invalid`;
    errors.set(field, { field, message });
    if (errors.size >= maxErrors) break;
  }
  return [...errors.values()];
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof segment === "object" ? segment.key : segment;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
