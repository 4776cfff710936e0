/**
 * Compares two digests in constant time. Pass digests, never the secrets themselves: different
 * lengths return early and so leak through timing.
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.byteLength !== b.byteLength) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}
