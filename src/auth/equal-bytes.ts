/**
 * Whether two digests are equal, in a time that does not tell where they differ. Give it digests,
 * never secrets themselves: a length that differs is told at once.
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.byteLength !== b.byteLength) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}
