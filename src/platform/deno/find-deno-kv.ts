import type { DenoKv } from "./kv-cache-types.ts";

/** What opens Deno's own key-value store; undefined where there is none (`--unstable-kv`). */
export function findDenoKv(): (() => Promise<DenoKv>) | undefined {
  const { Deno: deno } = globalThis as { Deno?: { openKv?(): Promise<DenoKv> } };
  return deno?.openKv?.bind(deno);
}
