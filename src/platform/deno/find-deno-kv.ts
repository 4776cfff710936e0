/**
 * What opens Deno's own key-value store; undefined where there is none (`--unstable-kv`).
 *
 * @typeParam Kv the part of `Deno.Kv` that the caller uses
 */
export function findDenoKv<Kv>(): (() => Promise<Kv>) | undefined {
  // Where Deno's own types are known, its store is another type than the part that is used.
  const { Deno: deno } = globalThis as unknown as { Deno?: { openKv?(): Promise<Kv> } };
  return deno?.openKv?.bind(deno);
}
