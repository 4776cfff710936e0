/** Number of route and request pairs per pass for routers that try every route. */
const pairLimit = 20_000;

/**
 * Returns every n-th request, few enough for a router that tries one route after another to finish a
 * pass in reasonable time; the stride keeps the average position in the table.
 */
export function sample<T>(requests: readonly T[], routes: number): readonly T[] {
  const wanted = Math.max(8, Math.floor(pairLimit / routes));
  if (requests.length <= wanted) return requests;
  const stride = requests.length / wanted;
  return Array.from({ length: wanted }, (_, i) => requests[Math.floor((i + 0.5) * stride)] as T);
}
