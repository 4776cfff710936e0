/** Rounds to four significant digits; measurements here are not more precise. */
export function roundNumber(value: number): number {
  return Number(value.toPrecision(4));
}
