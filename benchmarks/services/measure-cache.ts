import { Cacheable } from "cacheable";
import Keyv from "keyv";
import { LRUCache } from "lru-cache";
import { createStorage } from "unstorage";
import type { Row } from "../support/row.ts";
import { Cache, MemoryCacheStore } from "./espalier.ts";
import { type Sample, timeRounds } from "./time-rounds.ts";

/** Twelve books, 1 KB of JSON. */
const books = Array.from({ length: 12 }, (_, index) => ({
  id: `book-${index}`,
  title: "Emma",
  author: { name: "Jane Austen", born: 1775 },
  tags: ["novel", "comedy"],
}));
const ttlMs = 3_600_000;

/** Measures a hit of a value in memory, in nanoseconds. */
export async function measureCacheHits(isQuick: boolean): Promise<Row[]> {
  const hits = isQuick ? 200 : 20_000;
  const sample =
    (read: () => unknown): Sample =>
    async () => {
      const begun = performance.now();
      for (let hit = 0; hit < hits; hit += 1) await read();
      return ((performance.now() - begun) * 1e6) / hits;
    };

  const cache = new Cache({ store: new MemoryCacheStore() });
  const keyv = new Keyv();
  const cacheable = new Cacheable();
  const storage = createStorage();
  const values = new LRUCache<string, object>({ max: 10_000, ttl: ttlMs });
  const texts = new LRUCache<string, string>({ max: 10_000, ttl: ttlMs });
  await keyv.set("books", books, ttlMs);
  await storage.setItem("books", books);
  values.set("books", books);
  texts.set("books", JSON.stringify(books));

  return await timeRounds(
    {
      case: "cache hit of 1 KB",
      unit: "ns",
      baseline: "lru-cache and structuredClone",
      isRate: false,
      rounds: isQuick ? 1 : 15,
    },
    {
      Espalier: sample(() => cache.remember("books", () => books, ttlMs)),
      "lru-cache and structuredClone": sample(() => structuredClone(values.get("books"))),
      "lru-cache and JSON.parse": sample(() => JSON.parse(texts.get("books") ?? "null")),
      "lru-cache without a copy": sample(() => values.get("books")),
      Keyv: sample(() => keyv.get("books")),
      cacheable: sample(() => cacheable.getOrSet("books", async () => books, { ttl: ttlMs })),
      unstorage: sample(() => storage.getItem("books")),
    },
  );
}
