/** Minimum time for a meaningful slope, in minutes. */
export const judgedMinutes = 3;

/**
 * Returns the growth per minute: the median of the slopes between any two points (Theil–Sen). Tolerates a
 * single step, such as a resized heap, unlike continuous growth.
 */
export function growthPerMinute(
  points: readonly { readonly minute: number; readonly value: number }[],
): number {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((later) => (later.value - one.value) / (later.minute - one.minute)),
  );
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}
