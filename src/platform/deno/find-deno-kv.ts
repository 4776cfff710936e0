/**
 * Returns a function that opens Deno KV; undefined if it is unavailable (`--unstable-kv`).
 *
 * @typeParam Kv the part of `Deno.Kv` that the caller uses
 */
export function findDenoKv<Kv>(): (() => Promise<Kv>) | undefined {
  // With Deno's own types loaded, its store would be a different type from the part that is used.
  const { Deno: deno } = globalThis as unknown as { Deno?: { openKv?(): Promise<Kv> } };
  return deno?.openKv?.bind(deno);
}
