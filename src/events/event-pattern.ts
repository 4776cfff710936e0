import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";

/** Returns whether the pattern also matches other names. */
export function isWildcard(pattern: string): boolean {
  return pattern === "*" || pattern.endsWith(".*");
}

/**
 * Refuses a name that is not a string, such as an event object: no handler would be called.
 *
 * @throws EspalierError `ERR_EVENTS_BAD_NAME`
 */
export function checkEventName(name: unknown): void {
  if (typeof name === "string") return;
  throw new EspalierError(
    "ERR_EVENTS_BAD_NAME",
    `The name of an event must be a string, got ${describe(name)}. ` +
      'Pass the name, then the payload: emit("user.created", user).',
  );
}

/**
 * Refuses a `*` that is neither alone nor last after a dot: it would be read as a literal character, and the
 * handler would never be called.
 *
 * @throws EspalierError `ERR_EVENTS_BAD_NAME`
 */
export function checkPattern(pattern: string): void {
  checkEventName(pattern);
  const rest = isWildcard(pattern) ? pattern.slice(0, -1) : pattern;
  if (!rest.includes("*")) return;
  throw new EspalierError(
    "ERR_EVENTS_BAD_NAME",
    `The event name ${JSON.stringify(pattern)} has a wildcard in the middle. ` +
      'Subscribe to "*", or to everything below a name: "user.*".',
  );
}

/** Returns the wildcards that match a name: `*`, `user.*` and `user.created.*` for `user.created.twice`. */
export function wildcardsOver(name: string): readonly string[] {
  const wildcards = ["*"];
  for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
    wildcards.push(`${name.slice(0, dot)}.*`);
  }
  return wildcards;
}
