/** Returns the rank of a segment: literal, literal with a parameter, parameter, `*`. */
function rank(segment: string): number {
  if (segment.startsWith("*")) return 3;
  if (/^:[A-Za-z_$][\w$]*$/.test(segment)) return 2;
  return segment.includes(":") ? 1 : 0;
}

/**
 * Returns the indexes of routes, most specific first: the order in which users of a first-match router
 * have to register them.
 */
export function mostSpecificFirst(
  routes: readonly (readonly [method: string, pattern: string])[],
): number[] {
  const ranks = routes.map(([, pattern]) => pattern.split("/").map(rank));
  return routes
    .map((_, index) => index)
    .sort((a, b) => compareRanks(ranks[a] ?? [], ranks[b] ?? []) || a - b);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length; // of different lengths only a wildcard matches both, and it ranks last
}
