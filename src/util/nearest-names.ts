/**
 * Returns the suggestion at the end of an error message: ` Did you mean "auth"?`, or the known names if none
 * is similar, or a note that none exist. Begins with a space.
 *
 * @param limit maximum number of names to list
 */
export function nearestNames(name: string, known: readonly string[], limit = 5): string {
  if (known.length === 0) return " Nothing is registered yet.";
  const near = findNearNames(name, known).map((candidate) => `"${candidate}"`);
  if (near.length > 0) return ` Did you mean ${near.join(" or ")}?`;
  const more = known.length > limit ? `, and ${known.length - limit} more` : "";
  const listed = known.slice(0, limit).map((candidate) => `"${candidate}"`);
  return ` Known: ${listed.join(", ")}${more}.`;
}

/** Returns at most three similar names, the nearest first. */
export function findNearNames(name: string, known: readonly string[]): readonly string[] {
  return known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`,
 * ignoring letter case (optimal string alignment).
 */
function editDistance(a: string, b: string): number {
  const from = a.slice(0, 64).toLowerCase();
  const to = b.slice(0, 64).toLowerCase();
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      ];
      if (swapped && row > 1 && column > 1) edits.push(at(row - 2, column - 2) + 1);
      rows[row]?.push(Math.min(...edits));
    }
  }
  return at(from.length, to.length);
}
