/** How specific a segment is: text before text with a parameter, before a parameter, before `*`. */
function rank(segment: string): number {
  if (segment.startsWith("*")) return 3;
  if (/^:[A-Za-z_$][\w$]*$/.test(segment)) return 2;
  return segment.includes(":") ? 1 : 0;
}

/**
 * The indexes of routes in the order in which a router must hear of them that takes the first
 * match: its users sort their routes by hand, the most specific ones first.
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
  return a.length - b.length; // of two lengths only a wildcard matches both, and it ranks behind
}
