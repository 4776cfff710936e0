/** How many route-and-request pairs a router that tries every route is asked in one pass. */
const pairLimit = 20_000;

/**
 * Every n-th of a list of requests, so few that a router which tries one route after another ends a
 * pass in reasonable time; the stride keeps the average position in the table.
 */
export function sample<T>(requests: readonly T[], routes: number): readonly T[] {
  const wanted = Math.max(8, Math.floor(pairLimit / routes));
  if (requests.length <= wanted) return requests;
  const stride = requests.length / wanted;
  return Array.from({ length: wanted }, (_, i) => requests[Math.floor((i + 0.5) * stride)] as T);
}
