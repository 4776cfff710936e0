import { text } from "espalier";
import { describe, expect, test } from "vitest";
import { RateLimitMiddleware } from "../../src/middleware/rate-limit.ts";
import { DurableObjectRateLimitStore } from "../../src/platform/cloudflare/durable-object-rate-limit-store.ts";
import { WorkersRateLimitStore } from "../../src/platform/cloudflare/rate-limit-binding-store.ts";
import { RateLimitDurableObject } from "../../src/platform/cloudflare/rate-limit-durable-object.ts";
import type {
  RateLimitObjectId,
  RateLimitResponse,
} from "../../src/platform/cloudflare/rate-limit-types.ts";
import type { RateLimitStore } from "../../src/rate-limit/rate-limit-store.ts";
import { createApp, requestFrom } from "./support/app.ts";

function limitedApp(store: RateLimitStore) {
  const built = createApp([new RateLimitMiddleware({ limit: 2, windowMs: 60_000, store })]);
  built.app.getRouter().get("/", () => text("fine"));
  const ask = (env: object, ip = "192.0.2.1"): Promise<Response> =>
    built.app.fetch(requestFrom(ip), env);
  return { ask, said: () => JSON.stringify(built.lines).replaceAll("\\", "") };
}

describe("the Rate Limiting binding", () => {
  test("decides by key, and does not invent missing values", async () => {
    const keys: string[] = [];
    const limiter = {
      limit: async ({ key }: { key: string }) => {
        keys.push(key);
        return { success: keys.length < 3 };
      },
    };
    const { ask } = limitedApp(new WorkersRateLimitStore());
    const answers = [await ask({ RATE_LIMITER: limiter }), await ask({ RATE_LIMITER: limiter })];
    const refused = await ask({ RATE_LIMITER: limiter }, "192.0.2.2");
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("ratelimit")).toBeNull();
    expect(keys).toEqual(["default|ip:192.0.2.1", "default|ip:192.0.2.1", "default|ip:192.0.2.2"]);
  });

  test("may have another name", async () => {
    const { ask } = limitedApp(new WorkersRateLimitStore({ binding: "LIMITS" }));
    expect((await ask({ LIMITS: { limit: async () => ({ success: false }) } })).status).toBe(429);
  });

  test.each([
    [{}],
    [{ RATE_LIMITER: "a variable" }],
    [{ RATE_LIMITER: null }],
    [{ RATE_LIMITER: { idFromName() {} } }],
  ])("is missed with a name in the log: %j", async (env) => {
    const { ask, said } = limitedApp(new WorkersRateLimitStore());
    expect((await ask(env)).status).toBe(500);
    expect(said()).toContain("ERR_RATE_LIMIT_NO_BINDING");
    expect(said()).toContain('no rate limit binding "RATE_LIMITER" with the method limit.');
  });
});

describe("Durable Objects", () => {
  /** A namespace with in-process objects, one per name. */
  function createNamespace(answer?: () => RateLimitResponse) {
    const objects = new Map<string, RateLimitDurableObject>();
    return {
      objects,
      idFromName: (name: string): RateLimitObjectId => ({ toString: () => name }),
      get(id: RateLimitObjectId) {
        const name = id.toString();
        const kept = new Map<string, unknown>();
        const object =
          objects.get(name) ??
          new RateLimitDurableObject({
            storage: {
              get: async (key) => kept.get(key),
              put: async (key, value) => void kept.set(key, value),
              deleteAll: async () => kept.clear(),
              setAlarm: async () => {},
            },
            blockConcurrencyWhile: (callback) => callback(),
          });
        objects.set(name, object);
        return { fetch: async (url: string) => answer?.() ?? object.fetch(new Request(url)) };
      },
    };
  }

  test("count exactly, one per key", async () => {
    const { ask } = limitedApp(new DurableObjectRateLimitStore());
    const namespace = createNamespace();
    const env = { RATE_LIMIT: namespace };
    const answers = [await ask(env), await ask(env), await ask(env), await ask(env, "192.0.2.2")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect(answers[0]?.headers.get("ratelimit")).toBe('"default";r=1;t=60');
    expect([...namespace.objects.keys()]).toEqual(["default|ip:192.0.2.1", "default|ip:192.0.2.2"]);
  });

  test("may have another name, and a limit as high as a window on disk", async () => {
    const store = new DurableObjectRateLimitStore({ binding: "LIMITS" });
    expect((await limitedApp(store).ask({ LIMITS: createNamespace() })).status).toBe(200);
    expect(() => new RateLimitMiddleware({ limit: 10_001, store })).toThrow("1 to 10000");
  });

  test("are reported by name in the log if missing", async () => {
    const { ask, said } = limitedApp(new DurableObjectRateLimitStore());
    expect((await ask({})).status).toBe(500);
    expect(said()).toContain('no rate limit binding "RATE_LIMIT" with the method idFromName.');
  });

  test.each([
    [404, { allowed: true, remaining: 1, resetMs: 1 }],
    [200, null],
    [200, "allowed"],
    [200, {}],
    [200, { allowed: 1, remaining: 1, resetMs: 1 }],
    [200, { allowed: true }],
    [200, { allowed: true, remaining: "1", resetMs: 1 }],
    [200, { allowed: true, remaining: 1 }],
    [200, { allowed: true, remaining: 1, resetMs: null }],
  ])("of another class are a 503 whose cause is logged: %d %j", async (status, body) => {
    const { ask, said } = limitedApp(new DurableObjectRateLimitStore());
    const namespace = createNamespace(() => ({ status, json: async () => body }));
    expect((await ask({ RATE_LIMIT: namespace })).status).toBe(503);
    expect(said()).toContain(
      `The Durable Object of "RATE_LIMIT" responded with ${status} instead of a decision.`,
    );
  });
});
