import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { RequestContext } from "../../../src/http/context.ts";
import { DurableObjectRateLimitStore } from "../../../src/platform/cloudflare/durable-object-rate-limit-store.ts";
import { rateLimitStoreSuite } from "../../../src/testing/rate-limit-store-suite.ts";
import { bundle } from "../../support/bundle.ts";

const isolates = ["one", "two", "three", "four"] as const;

/** Four Workers in separate isolates, whose bindings refer to the objects of the first. */
async function startWorkers(storage: "sqlite" | "legacy-kv"): Promise<Miniflare> {
  const { code, wasm } = await bundle("test/middleware/workerd/rate-limit-worker.ts", "workerd");
  const modules: Record<string, unknown> = { "index.js": { type: "esm", contents: code } };
  for (const [name, contents] of wasm) modules[name] = { type: "wasm", contents };
  const workers = isolates.map((name) => ({
    config: {
      name,
      compatibilityDate: "2026-11-01",
      compatibilityFlags: [],
      manifest: { mainModule: "index.js", modulesRoot: "/", modules },
      env: {
        RATE_LIMIT: { type: "durable-object", worker: "one", exportName: "RateLimitDurableObject" },
        RATE_LIMITER: { type: "rate-limit", namespace: "1001", simple: { limit: 5, period: 60 } },
      },
      ...(name === "one"
        ? { exports: { RateLimitDurableObject: { type: "durable-object", storage } } }
        : {}),
    },
  }));
  // Miniflare's own types ask for every optional member of a configuration.
  return new Miniflare({ cf: false, workers } as never);
}

describe.each(["sqlite", "legacy-kv"] as const)("objects with %s storage", (storage) => {
  let miniflare: Miniflare;
  type Answer = Awaited<ReturnType<Miniflare["dispatchFetch"]>>;
  let ask: (
    isolate: (typeof isolates)[number],
    path: string,
    headers?: Record<string, string>,
  ) => Promise<Answer>;

  beforeAll(async () => {
    miniflare = await startWorkers(storage);
    const workers = new Map(
      await Promise.all(
        isolates.map(async (name) => [name, await miniflare.getWorker(name)] as const),
      ),
    );
    ask = async (isolate, path, headers = {}) => {
      const worker = workers.get(isolate);
      if (worker === undefined) throw new Error(isolate);
      return (await worker.fetch(`http://localhost${path}`, { headers })) as unknown as Answer;
    };
  });
  afterAll(() => miniflare.dispose());

  let namespace: unknown;
  rateLimitStoreSuite({
    name: `Durable Object with ${storage} storage`,
    describe,
    it,
    createStore: async () => {
      namespace ??= await miniflare.getDurableObjectNamespace("RATE_LIMIT", "one");
      return new DurableObjectRateLimitStore();
    },
    context: {
      // The store reads nothing else of the context.
      env: {
        get RATE_LIMIT() {
          return namespace;
        },
      },
    } as unknown as RequestContext,
  });

  test("the Workers are separate isolates", async () => {
    const numbers = await Promise.all(
      isolates.map(async (name) => (await ask(name, "/isolate")).json()),
    );
    expect(new Set(numbers).size).toBe(4);
  });

  test("count exactly, 200 requests at once from four isolates", async () => {
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          ask(isolates[index % 4] ?? "one", `/shared?key=round-${round}`),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(140);
      // Every number from 59 down to 0 was given once.
      const remaining = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_500);
    }
  });

  test("keep keys apart, and count one key in every isolate", async () => {
    const statuses: number[] = [];
    for (const isolate of isolates) {
      statuses.push((await ask(isolate, "/once?key=a")).status);
      statuses.push((await ask(isolate, `/once?key=${isolate}`)).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 429, 200, 429, 200]);
  });

  test("count by the address that Cloudflare tells, and by no other", async () => {
    const from = async (ip: string, forged: string) => {
      const headers = { "cf-connecting-ip": ip, "x-forwarded-for": forged, "x-real-ip": forged };
      return (await ask("two", "/address", headers)).status;
    };
    expect(await from("192.0.2.1", "203.0.113.1")).toBe(200);
    expect(await from("192.0.2.1", "203.0.113.2")).toBe(429);
    expect(await from("2001:db8::1", "203.0.113.3")).toBe(200);
    expect(await from("2001:db8::2", "203.0.113.4")).toBe(429);
  });

  test("remember what they counted when the platform puts them away", async () => {
    expect((await ask("one", "/once?key=evicted")).status).toBe(200);
    const name = "once|custom:evicted";
    await miniflare.unsafeEvictDurableObject("one", "RateLimitDurableObject", { name });
    expect((await ask("three", "/once?key=evicted")).status).toBe(429);
  });

  test("free a place when the window has passed, and begin anew after their alarm", async () => {
    const statuses = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => ask("one", "/short?key=k")),
      );
      return answers.map(({ status }) => status).filter((status) => status === 200).length;
    };
    expect(await statuses(10)).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect(await statuses(10)).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const name = "short|custom:k";
    await miniflare.unsafeEvictDurableObject("one", "RateLimitDurableObject", { name });
    expect(await statuses(1)).toBe(1);
  });

  test("a missing binding is a 500 and not a pass", async () => {
    expect((await ask("one", "/no-binding")).status).toBe(500);
  });

  test("the Rate Limiting binding refuses as well, and tells no number", async () => {
    const answers: Answer[] = [];
    for (let index = 0; index < 8; index += 1) answers.push(await ask("one", "/binding"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    for (const { headers } of answers) {
      expect(headers.get("ratelimit")).toBeNull();
      expect(headers.get("ratelimit-policy")).toBe('"default";q=5;w=60');
    }
    expect(answers.at(-1)?.headers.get("retry-after")).toBe("60");
  });
});
