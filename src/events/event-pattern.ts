import { EspalierError } from "../errors.ts";

/** Whether handlers of this name are called for other names too. */
export function isWildcard(pattern: string): boolean {
  return pattern === "*" || pattern.endsWith(".*");
}

/**
 * Refuses a `*` anywhere but alone or at the end behind a dot, where it would be read as a plain
 * letter and the handler would wait for ever.
 *
 * @throws EspalierError `ERR_EVENTS_BAD_NAME`
 */
export function checkPattern(pattern: string): void {
  const rest = isWildcard(pattern) ? pattern.slice(0, -1) : pattern;
  if (!rest.includes("*")) return;
  throw new EspalierError(
    "ERR_EVENTS_BAD_NAME",
    `The event name ${JSON.stringify(pattern)} has a wildcard in the middle. ` +
      'Subscribe to "*", or to everything below a name: "user.*".',
  );
}

/** The wildcards that cover a name: `*`, `user.*` and `user.created.*` for `user.created.twice`. */
export function wildcardsOver(name: string): readonly string[] {
  const wildcards = ["*"];
  for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
    wildcards.push(`${name.slice(0, dot)}.*`);
  }
  return wildcards;
}
