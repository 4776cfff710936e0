import { serialize } from "node:v8";
import type {
  DurableObjectNamespace,
  DurableObjectState,
  RateLimit,
} from "@cloudflare/workers-types";
import { afterEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import { RateLimitDurableObject } from "../../src/platform/cloudflare/rate-limit-durable-object.ts";
import type {
  RateLimitBinding,
  RateLimitNamespace,
  RateLimitObjectState,
} from "../../src/platform/cloudflare/rate-limit-types.ts";

afterEach(() => void vi.useRealTimers());

/** In-memory storage of an object, and its recorded calls. */
function createState() {
  const kept = new Map<string, unknown>();
  const alarms: number[] = [];
  const loading: Promise<void>[] = [];
  const state: RateLimitObjectState = {
    storage: {
      get: async (key) => kept.get(key),
      put: async (key, value) => void kept.set(key, structuredClone(value)),
      deleteAll: async () => kept.clear(),
      setAlarm: async (atMs) => void alarms.push(atMs),
    },
    blockConcurrencyWhile: async (callback) => void loading.push(callback()),
  };
  return { state, kept, alarms, loading };
}

async function ask(
  object: RateLimitDurableObject,
  limit: number,
  windowMs: number,
): Promise<unknown> {
  const url = `https://rate-limit/?limit=${limit}&windowMs=${windowMs}`;
  return (await object.fetch(new Request(url))).json();
}

test("is compatible with the types of the platform's package", () => {
  expectTypeOf<DurableObjectNamespace>().toExtend<RateLimitNamespace>();
  expectTypeOf<DurableObjectState>().toExtend<RateLimitObjectState>();
  expectTypeOf<RateLimit>().toExtend<RateLimitBinding>();
});

describe("the object", () => {
  test("sets one alarm for a window, and another while requests still count", async () => {
    vi.useFakeTimers({ now: 1_000, toFake: ["Date"] });
    const { state, kept, alarms } = createState();
    const object = new RateLimitDurableObject(state);
    await ask(object, 3, 500);
    vi.setSystemTime(1_400);
    await ask(object, 3, 500);
    expect(alarms).toEqual([1_500]);
    vi.setSystemTime(1_500);
    await object.alarm();
    expect(alarms).toEqual([1_500, 1_900]);
    expect(kept.size).toBe(1);
    vi.setSystemTime(1_900);
    await object.alarm();
    expect(kept.size).toBe(0);
    expect(await ask(object, 1, 500)).toEqual({ allowed: true, remaining: 0, resetMs: 500 });
    expect(alarms).toEqual([1_500, 1_900, 2_400]);
  });

  test("stores admitted requests, but not rejected ones", async () => {
    const { state, kept } = createState();
    const object = new RateLimitDurableObject(state);
    await ask(object, 1, 60_000);
    const written = kept.get("window");
    expect(await ask(object, 1, 60_000)).toMatchObject({ allowed: false });
    expect(kept.get("window")).toBe(written);
  });

  test("continues from the stored state, with a new alarm", async () => {
    const { state, alarms, loading } = createState();
    await ask(new RateLimitDurableObject(state), 2, 60_000);
    const moved = new RateLimitDurableObject(state);
    await Promise.all(loading);
    expect(await ask(moved, 2, 60_000)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await ask(moved, 2, 60_000)).toMatchObject({ allowed: false });
    expect(alarms).toHaveLength(1);
  });

  test("stores the largest window within the limit of a value, 128 KiB", async () => {
    const { state, kept } = createState();
    const object = new RateLimitDurableObject(state);
    for (let request = 0; request < 10_000; request += 1) await ask(object, 10_000, 3_600_000);
    expect(serialize(kept.get("window")).length).toBeGreaterThan(80_000);
    expect(serialize(kept.get("window")).length).toBeLessThan(128 * 1024);
    expect(await ask(object, 10_000, 3_600_000)).toMatchObject({ allowed: false });
  });
});
