import type { KVNamespace } from "@cloudflare/workers-types";
import type Keyv from "keyv";
import type { Storage } from "unstorage";
import { describe, expectTypeOf, it } from "vitest";
import type { Cache } from "../../src/cache/cache.ts";
import type { CacheOptions } from "../../src/cache/cache-options.ts";
import type { CacheSource } from "../../src/cache/cache-source.ts";
import type { KvNamespace } from "../../src/platform/cloudflare/kv-types.ts";

describe("the types of the cache", () => {
  it("accept the namespace type of the platform's package", () => {
    expectTypeOf<KVNamespace>().toExtend<KvNamespace>();
    expectTypeOf<() => KVNamespace>().toExtend<CacheOptions["store"]>();
  });

  it("accept stores of other packages, and a custom store", () => {
    expectTypeOf<Keyv>().toExtend<CacheSource>();
    expectTypeOf<Storage>().toExtend<CacheSource>();
    expectTypeOf<Map<string, unknown>>().toExtend<CacheSource>();
    expectTypeOf<{
      get<T>(key: string): Promise<T | undefined>;
      set(key: string, value: unknown, ttlMs?: number): Promise<boolean>;
      delete(key: string): Promise<boolean>;
    }>().toExtend<CacheSource>();
    expectTypeOf<{ get(key: string): string }>().not.toExtend<CacheSource>();
  });

  it("infer the producer's type, or use the caller's type", () => {
    expectTypeOf<Cache["remember"]>().toBeCallableWith("key", async () => 1, 1_000, { staleMs: 5 });
    const remember = (cache: Cache) => cache.remember("key", async () => ({ id: 1 }));
    expectTypeOf<ReturnType<typeof remember>>().toEqualTypeOf<Promise<{ id: number }>>();
    const get = (cache: Cache) => cache.get<string>("key");
    expectTypeOf<ReturnType<typeof get>>().toEqualTypeOf<Promise<string | undefined>>();
  });
});
