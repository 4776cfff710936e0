import type { Cache } from "../cache/cache.ts";
import type { CacheStore } from "../cache/cache-store.ts";
import { assertEqual } from "./assertions.ts";

/** Tests that namespaces share no keys, and that one can be cleared alone. */
export async function keepsNamespacesApart(cache: Cache): Promise<void> {
  const parts = [
    cache,
    cache.namespace("a"),
    cache.namespace("a:b"),
    cache.namespace("a").namespace("b"),
  ];
  for (const [index, part] of parts.entries()) await part.set("b:c", index, 60_000);
  for (const [index, part] of parts.entries())
    assertEqual(await part.get("b:c"), index, "the value");
  await cache.namespace("a").clear();
  const kept = await Promise.all(parts.map((part) => part.has("b:c")));
  assertEqual(kept, [true, false, true, false], "what is left after a namespace was cleared");
  await cache.namespace("a").set("b:c", "again", 60_000);
  assertEqual(
    await cache.namespace("a").get("b:c"),
    "again",
    "a value that is set after the clear",
  );
}

/** Tests that a tag invalidates its own entries, in its own namespace. */
export async function invalidatesTags(cache: Cache): Promise<void> {
  let calls = 0;
  const remember = (part: Cache, key: string, tags: string[]): Promise<number> =>
    part.remember(key, () => ++calls, 60_000, { tags });
  const inner = cache.namespace("tagged");
  const rememberAll = async (): Promise<number[]> => [
    await remember(cache, "tags 1", ["red", "a tag: \u00e9"]),
    await remember(cache, "tags 2", ["blue"]),
    await remember(cache, "tags 3", []),
    await remember(inner, "tags 4", ["red"]),
  ];
  for (const key of ["tags 1", "tags 2", "tags 3"]) await cache.delete(key);
  assertEqual(await rememberAll(), [1, 2, 3, 4], "the first values");
  assertEqual(await rememberAll(), [1, 2, 3, 4], "the cached values");
  await cache.invalidateTags(["red", "unused"]);
  assertEqual(await cache.has("tags 1"), false, "an entry with the tag");
  assertEqual(await rememberAll(), [5, 2, 3, 4], "the values after the tag was invalidated");
  await cache.invalidateTags(["a tag: \u00e9", "blue"]);
  assertEqual(await rememberAll(), [6, 7, 3, 4], "the values after two tags were invalidated");
  await inner.invalidateTags(["red"]);
  assertEqual(await rememberAll(), [6, 7, 3, 8], "the values after a tag of the namespace was");
}

/** Tests that an entry is replaced only if it is the expected one, where the store has such a method. */
export async function comparesAndSets(store: CacheStore): Promise<void> {
  if (store.compareAndSet === undefined) return;
  await store.delete("compared");
  const results = [
    await store.compareAndSet("compared", "absent", "no", 60_000),
    await store.compareAndSet("compared", undefined, "first", 60_000),
    await store.compareAndSet("compared", undefined, "no", 60_000),
    await store.compareAndSet("compared", "other", "no", 60_000),
    await store.compareAndSet("compared", "first", "second"),
  ];
  assertEqual(results, [false, true, false, false, true], "what compareAndSet returns");
  assertEqual(await store.get("compared"), "second", "the entry afterwards");
  const writes = Array.from({ length: 20 }, (_, index) =>
    store.compareAndSet?.("compared", "second", `third ${index}`, 60_000),
  );
  const written = (await Promise.all(writes)).filter((result) => result === true);
  assertEqual(written.length, 1, "the number of concurrent writes that succeed");
  await store.delete("compared");
  await store.compareAndSet("compared", undefined, "short", 1_000);
  await store.compareAndSet("compared", "short", "long", 60_000);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assertEqual(await store.get("compared"), "long", "the entry after the former time to live");
  await store.delete("compared");
}
