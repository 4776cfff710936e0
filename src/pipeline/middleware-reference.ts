/** Name and arguments of a parsed middleware reference. */
export interface MiddlewareReferenceParts {
  readonly name: string;
  readonly args: readonly string[];
}

/**
 * Parses `"can:edit,post"` into the name `can` and the arguments `edit` and `post`.
 *
 * Only the first colon separates, so an argument may contain colons; whitespace around an argument is
 * trimmed.
 */
export function parseMiddlewareReference(reference: string): MiddlewareReferenceParts {
  const colon = reference.indexOf(":");
  if (colon === -1) return { name: reference.trim(), args: [] };
  const args = reference.slice(colon + 1).split(",");
  return { name: reference.slice(0, colon).trim(), args: args.map((arg) => arg.trim()) };
}
