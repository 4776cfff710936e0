/** A number with four digits that count: more than that no measurement here is worth. */
export function roundNumber(value: number): number {
  return Number(value.toPrecision(4));
}
