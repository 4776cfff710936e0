import { waitUntil } from "cloudflare:workers";
import { Cache } from "../../../src/cache/cache.ts";
import { MemoryCacheStore } from "../../../src/cache/memory-store.ts";
import type { KvNamespace } from "../../../src/platform/cloudflare/kv-types.ts";

let bindings: { readonly KV: KvNamespace };
const store = (): KvNamespace => bindings.KV;
const background = (work: Promise<unknown>): void => waitUntil(work);
const caches: Record<string, Cache> = {
  kv: new Cache({ store, background }),
  memory: new Cache({ store: new MemoryCacheStore(), background }),
  // As on a platform without waitUntil.
  unaided: new Cache({ store, producerWaitMs: 700 }),
};
const calls = new Map<string, number>();

/** Work that uses platform timers, so that it is cancelled with its request unless kept alive. */
async function produce(key: string, delayMs: number): Promise<{ call: number }> {
  const call = (calls.get(key) ?? 0) + 1;
  calls.set(key, call);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await bindings.KV.put(`side:${key}`, String(call));
  return { call };
}

export default {
  async fetch(request: Request, env: { readonly KV: KvNamespace }): Promise<Response> {
    bindings = env;
    const { pathname, searchParams } = new URL(request.url);
    const key = searchParams.get("key") ?? "key";
    if (pathname === "/calls") return Response.json(calls.get(key) ?? 0);
    const cache = caches[pathname.slice(1)];
    if (cache === undefined) return new Response(null, { status: 404 });
    const delayMs = Number(searchParams.get("delay") ?? 0);
    const ttlMs = Number(searchParams.get("ttl") ?? 60_000);
    const staleMs = Number(searchParams.get("stale") ?? 0);
    const remembering = cache.remember(key, () => produce(key, delayMs), ttlMs, { staleMs });
    if (searchParams.has("leave")) {
      // Waits until the producer has started, then responds without its value.
      while (!calls.has(key)) await new Promise((resolve) => setTimeout(resolve, 1));
      return Response.json("left");
    }
    const value = await remembering;
    // The request can still use the platform after it waited for another one's work.
    await bindings.KV.get("anything", "text");
    return Response.json(value);
  },
};
