import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KvMiniflare, startKvMiniflare } from "./support/kv-miniflare.ts";

// The newest date, and one before promises were resolved in the awaiting request.
describe.each(["2026-11-01", "2024-01-01"])("on workerd as of %s", (compatibilityDate) => {
  let platform: KvMiniflare;
  let base: URL;
  beforeAll(async () => {
    platform = await startKvMiniflare("test/cache/support/cache-worker.ts", compatibilityDate);
    base = await platform.miniflare.ready;
  });
  afterAll(() => platform.dispose());

  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, base), { ...init, signal: init.signal ?? AbortSignal.timeout(15_000) });
  const json = async (path: string): Promise<unknown> => {
    const response = await call(path);
    return response.status === 200 ? await response.json() : await response.text();
  };

  it.each(["kv", "memory"])("shares one producer among requests on %s", async (cache) => {
    const path = `/${cache}?key=shared-${cache}&delay=200`;
    const bodies = await Promise.all(Array.from({ length: 50 }, () => json(path)));
    expect(bodies).toEqual(Array(50).fill({ call: 1 }));
    expect(await json(path)).toEqual({ call: 1 });
    expect(await json(`/calls?key=shared-${cache}`)).toBe(1);
  });

  it.each(["kv", "memory"])("continues after the first client disconnects on %s", async (cache) => {
    const path = `/${cache}?key=left-${cache}&delay=600`;
    const leaving = new AbortController();
    const first = call(path, { signal: leaving.signal }).catch((error: Error) => error.name);
    await expect.poll(() => json(`/calls?key=left-${cache}`)).toBe(1);
    const others = Array.from({ length: 20 }, () => json(path));
    leaving.abort();
    expect(await first).toBe("AbortError");
    expect(await Promise.all(others)).toEqual(Array(20).fill({ call: 1 }));
    expect(await json(`/calls?key=left-${cache}`)).toBe(1);
  });

  it.each(["kv", "memory"])(
    "continues after the response of the request that started it on %s",
    async (cache) => {
      const path = `/${cache}?key=answered-${cache}&delay=400`;
      expect(await json(`${path}&leave`)).toBe("left");
      const others = Array.from({ length: 20 }, () => json(path));
      expect(await Promise.all(others)).toEqual(Array(20).fill({ call: 1 }));
    },
  );

  it("does not wait for work that was cancelled with its request", async () => {
    const path = "/unaided?key=died&delay=400";
    expect(await json(`${path}&leave`)).toBe("left");
    const others = Array.from({ length: 20 }, () => json(path));
    // The first call never finished; a waiting caller computed the value for all.
    expect(await Promise.all(others)).toEqual(Array(20).fill({ call: 2 }));
    expect(await json("/calls?key=died")).toBe(2);
  });

  it("serves 200 requests, 20 at once, with refreshes in the background", async () => {
    const statuses: Record<number, number> = {};
    for (let round = 0; round < 10; round++) {
      const requests = Array.from({ length: 20 }, async (_, index) => {
        const cache = index % 2 === 0 ? "kv" : "memory";
        const response = await call(
          `/${cache}?key=mixed-${cache}-${index % 5}&delay=20&ttl=100&stale=400`,
        );
        await response.text();
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      });
      await Promise.all(requests);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(statuses).toEqual({ 200: 200 });
    // Three seconds contain about 30 lifetimes of 100 ms: values were refreshed, not computed for each request.
    const calls = Number(await json("/calls?key=mixed-kv-0"));
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThanOrEqual(20);
  });
});
