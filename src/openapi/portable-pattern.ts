/**
 * Converts a parameter's constraint to a JSON Schema `pattern`: anchored to the whole value, and with `\d`
 * and `\w` expanded, which match Unicode in some languages and only ASCII here.
 */
export function portablePattern(constraint: string): string {
  let pattern = "";
  let isInClass = false;
  for (let at = 0; at < constraint.length; at += 1) {
    const character = constraint[at] ?? "";
    if (character === "\\") {
      at += 1;
      pattern += portableEscape(constraint[at] ?? "", isInClass);
      continue;
    }
    if (character === "[") isInClass = true;
    if (character === "]") isInClass = false;
    pattern += character;
  }
  return `^(?:${pattern})$`;
}

function portableEscape(escaped: string, isInClass: boolean): string {
  const ranges = escaped === "d" ? "0-9" : escaped === "w" ? "A-Za-z0-9_" : undefined;
  if (ranges === undefined) return `\\${escaped}`;
  return isInClass ? ranges : `[${ranges}]`;
}
