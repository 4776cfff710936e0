import Keyv from "keyv";
import { createStorage, type Storage } from "unstorage";
import { afterAll, beforeAll, describe, it } from "vitest";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { toCacheStore } from "../../src/cache/store-from.ts";
import { cacheStoreSuite } from "../../src/testing/cache-store-suite.ts";
import { type KvMiniflare, startKvMiniflare } from "./support/kv-miniflare.ts";

const stores: Record<string, () => unknown> = {
  memory: () => new MemoryCacheStore(),
  map: () => new Map<string, unknown>(),
  keyv: () => new Keyv(),
  "keyv over a map": () => new Keyv({ store: new Map() }),
  "a store without clear": () => {
    const map = new Map<string, unknown>();
    return {
      get: (key: string) => map.get(key),
      set: (key: string, value: string) => map.set(key, value),
      delete: (key: string) => map.delete(key),
    };
  },
  unstorage: (): Storage => createStorage(),
};
for (const [name, create] of Object.entries(stores)) {
  cacheStoreSuite({ describe, it, name, createStore: () => toCacheStore(create()) });
}

describe("on workerd, on disk", () => {
  let platform: KvMiniflare;
  beforeAll(async () => {
    platform = await startKvMiniflare();
  });
  afterAll(() => platform.dispose());
  cacheStoreSuite({
    describe,
    it,
    name: "workers kv",
    createStore: async () => toCacheStore(await platform.miniflare.getKVNamespace("KV")),
  });
});
