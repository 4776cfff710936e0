/**
 * The part of an error message that shows what may have been meant: ` Did you mean "auth"?`, or the
 * names there are when none is near, or that there are none. Begins with a blank.
 *
 * @param limit how many names are listed at the most
 */
export function nearestNames(name: string, known: readonly string[], limit = 5): string {
  if (known.length === 0) return " Nothing is registered yet.";
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => `"${candidate}"`);
  if (near.length > 0) return ` Did you mean ${near.join(" or ")}?`;
  const more = known.length > limit ? `, and ${known.length - limit} more` : "";
  const listed = known.slice(0, limit).map((candidate) => `"${candidate}"`);
  return ` Known: ${listed.join(", ")}${more}.`;
}

/** Insertions, deletions, substitutions that turn `a` into `b` (Levenshtein), ignoring letter case. */
function editDistance(a: string, b: string): number {
  const from = a.slice(0, 64).toLowerCase();
  const to = b.slice(0, 64).toLowerCase();
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const insertion = (current[column - 1] ?? 0) + 1;
      const deletion = (previous[column] ?? 0) + 1;
      current.push(Math.min(substitution, insertion, deletion));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
