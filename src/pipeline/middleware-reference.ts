/** A middleware as a route names it, taken apart. */
export interface MiddlewareReferenceParts {
  readonly name: string;
  readonly args: readonly string[];
}

/**
 * Takes `"can:edit,post"` apart into the name `can` and the arguments `edit` and `post`.
 *
 * Only the first colon separates, so that an argument may hold others; blanks around an argument are
 * dropped.
 */
export function parseMiddlewareReference(reference: string): MiddlewareReferenceParts {
  const colon = reference.indexOf(":");
  if (colon === -1) return { name: reference.trim(), args: [] };
  const args = reference.slice(colon + 1).split(",");
  return { name: reference.slice(0, colon).trim(), args: args.map((arg) => arg.trim()) };
}
