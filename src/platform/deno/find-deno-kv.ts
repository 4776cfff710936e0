/**
 * What opens Deno's own key-value store; undefined where there is none (`--unstable-kv`).
 *
 * @typeParam Kv the part of `Deno.Kv` that the caller uses
 */
export function findDenoKv<Kv>(): (() => Promise<Kv>) | undefined {
  const { Deno: deno } = globalThis as { Deno?: { openKv?(): Promise<Kv> } };
  return deno?.openKv?.bind(deno);
}
