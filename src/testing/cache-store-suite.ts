import { Cache } from "../cache/cache.ts";
import type { CacheOptions } from "../cache/cache-options.ts";
import type { CacheStore } from "../cache/cache-store.ts";
import { assertEqual, assertRejects } from "./assertions.ts";
import { comparesAndSets, invalidatesTags, keepsNamespacesApart } from "./cache-groups.ts";

/** Test runner functions that a suite uses; Vitest, Jest, Mocha, node:test, Deno and Bun have them. */
export interface TestRunner {
  /** Groups tests under a title. */
  describe(name: string, body: () => void): unknown;
  /** Registers one test. */
  it(name: string, body: () => Promise<void>): unknown;
}

/** Options of `cacheStoreSuite`. */
export interface CacheStoreSuiteOptions extends TestRunner {
  /** Name of the store in test titles. */
  name: string;
  /** Returns the store to test. It may be the same one each time: every test clears its keys first. */
  createStore: () => CacheStore | Promise<CacheStore>;
}

/**
 * Keys as the cache passes them to a store: every allowed character, and variants that stores tend to
 * conflate.
 */
const storeKeys: readonly string[] = [
  ...["a", "A", "a:b", "a::b", ":a", "a:", "a.b", "a-b", "a_b", "%", "%25", "%2E", "a%3Ab", "~f00"],
  ...["ns~a", "ns~~f00", "__proto__", "constructor", "toString", "0", "-", "_", "...", "a.json"],
  "k".repeat(239),
  "k".repeat(240),
  `${"k".repeat(239)}j`,
];

/** Application keys: any string must work. */
const applicationKeys: readonly string[] = [
  ...[
    "",
    ".",
    "..",
    "/",
    "a/b",
    "a\\b",
    "a:b",
    "a\0b",
    "a b",
    "a%20b",
    "%",
    "%25",
    "~",
    "?",
    "a?b",
  ],
  ...[
    "#",
    "$",
    "a$",
    "__proto__",
    "é",
    "e\u0301",
    "日本",
    "👍",
    "\ud83d",
    "\udc4d",
    "\ufffd",
    "\n",
  ],
  ...["k".repeat(240), "k".repeat(241), "k".repeat(513), "é".repeat(300), "k".repeat(100_000)],
];

const falsyValues: readonly unknown[] = [null, 0, "", false];

/**
 * Registers the tests that a cache store must pass, on the given test runner.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * cacheStoreSuite({ describe, it, name: "redis", createStore: () => new RedisStore(client) });
 * ```
 */
export function cacheStoreSuite(options: CacheStoreSuiteOptions): void {
  const { describe, it, createStore } = options;
  describe(`cache store: ${options.name}`, () => {
    it("has nothing under a key that was never set", async () => {
      const store = await createStore();
      await store.delete("absent");
      assertEqual((await store.get("absent")) ?? undefined, undefined, "get of an absent key");
    });
    it("gives back the text it was given", async () => keepsText(await createStore()));
    it("keeps keys apart", async () => keepsKeysApart(await createStore()));
    it("replaces and deletes", async () => replacesAndDeletes(await createStore()));
    it("clears all, or what begins with a prefix", async () => clears(await createStore()));
    it("gives many entries in the order of the keys", async () => getsMany(await createStore()));
    it("holds every key of an application", async () => holdsAnyKey(await createStore()));
    it("holds falsy values as hits", async () => holdsFalsyValues(await createStore()));
    it("copies values in and out", async () => copiesValues(await createStore()));
    it("refuses what JSON cannot hold", async () => refusesNonJson(await createStore()));
    it("expires to the millisecond", async () => expiresExactly(await createStore()));
    it("calls one producer for many callers", async () => callsOneProducer(await createStore()));
    it("keeps no failure", async () => keepsNoFailure(await createStore()));
    it("leaves a key deleted", async () => leavesDeleted(await createStore()));
    it("serves stale while it refreshes", async () => servesStale(await createStore()));
    it("keeps namespaces apart", async () =>
      keepsNamespacesApart(createCache(await createStore())));
    it("compares and sets, if supported", async () => comparesAndSets(await createStore()));
    it("invalidates tags", async () => invalidatesTags(createCache(await createStore())));
  });
}

/** Generous, because the suite checks behaviour and not speed: some tests make hundreds of calls at once. */
const suiteTimeoutMs = 60_000;

function createCache(store: CacheStore, options: Omit<CacheOptions, "store"> = {}): Cache {
  return new Cache({ store, timeoutMs: suiteTimeoutMs, ...options });
}

async function keepsText(store: CacheStore): Promise<void> {
  const texts = ["", "plain", '{"e":null,"v":{"__proto__":{"x":1}}}', '["a"]', "1", "true", "null"];
  for (const text of [...texts, "é日本👍\u2028\n\0", '{"a":1}', "x".repeat(100_000)]) {
    await store.set("text", text, 60_000);
    const kept = await store.get("text");
    // Cache entries are JSON objects; a store may return them parsed, but otherwise unchanged.
    assertEqual(typeof kept === "string" ? kept : JSON.stringify(kept), text, "the text kept");
  }
}

async function keepsKeysApart(store: CacheStore): Promise<void> {
  for (const [index, key] of storeKeys.entries()) await store.set(key, `text ${index}`, 60_000);
  for (const [index, key] of storeKeys.entries()) {
    assertEqual(await store.get(key), `text ${index}`, `the entry of ${key}`);
  }
  for (const key of storeKeys) await store.delete(key);
}

async function replacesAndDeletes(store: CacheStore): Promise<void> {
  await store.set("key", "first");
  await store.set("key", "second", 60_000);
  assertEqual(await store.get("key"), "second", "the entry after a second set");
  await store.delete("key");
  assertEqual((await store.get("key")) ?? undefined, undefined, "the entry after delete");
  await store.delete("key");
}

async function clears(store: CacheStore): Promise<void> {
  const set = async (): Promise<void> => {
    for (const key of ["a~1", "a~2", "ab", "b~1"]) await store.set(key, key, 60_000);
  };
  if (store.clearPrefix !== undefined) {
    await set();
    await store.clearPrefix("a~");
    assertEqual((await store.get("a~1")) ?? undefined, undefined, "a key with the prefix");
    assertEqual(await store.get("ab"), "ab", "a key without the prefix");
    assertEqual(await store.get("b~1"), "b~1", "a key without the prefix");
  }
  if (store.clear !== undefined) {
    await set();
    await store.clear();
    assertEqual((await store.get("b~1")) ?? undefined, undefined, "a key after clear");
  }
}

async function getsMany(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  const keys = Array.from({ length: 250 }, (_, index) => `many ${index}`);
  await Promise.all(
    keys.map((key, index) => (index % 3 === 0 ? cache.delete(key) : cache.set(key, index, 60_000))),
  );
  const expected = keys.map((_, index) => (index % 3 === 0 ? undefined : index));
  assertEqual(await cache.getMany(keys), expected, "the values of many keys");
  assertEqual(await cache.getMany([]), [], "the values of no keys");
}

async function holdsAnyKey(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  for (const [index, key] of applicationKeys.entries()) await cache.set(key, index, 60_000);
  for (const [index, key] of applicationKeys.entries()) {
    assertEqual(await cache.get(key), index, `the value of ${JSON.stringify(key.slice(0, 40))}`);
  }
  for (const key of applicationKeys) await cache.delete(key);
  for (const key of applicationKeys) assertEqual(await cache.has(key), false, "has after delete");
}

async function holdsFalsyValues(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  for (const value of falsyValues) {
    await cache.delete("falsy");
    assertEqual(await cache.remember("falsy", () => value, 60_000), value, "the value made");
    assertEqual(await cache.remember("falsy", () => "again", 60_000), value, "the value kept");
    assertEqual(await cache.get("falsy"), value, "the value got");
    assertEqual(await cache.has("falsy"), true, "has");
  }
  await cache.set("falsy", undefined);
  assertEqual(await cache.has("falsy"), false, "has after undefined was set");
}

async function copiesValues(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  const value = { list: [1], date: new Date(0), gone: undefined };
  await cache.set("copy", value, 60_000);
  value.list.push(2);
  const expected = { list: [1], date: "1970-01-01T00:00:00.000Z" };
  const first = await cache.get<{ list: number[] }>("copy");
  assertEqual(first, expected, "the value after its source changed");
  first?.list.push(3);
  assertEqual(await cache.get("copy"), expected, "the value after a copy of it changed");
}

async function refusesNonJson(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  await cache.set("refused", "before", 60_000);
  for (const value of [new Map(), { set: new Set() }, [1n], cycle, Promise.resolve(1), () => 1]) {
    const error = await assertRejects(cache.set("refused", value), "set of what is not JSON");
    const code = error instanceof TypeError && "code" in error ? error.code : error;
    assertEqual(code, "ERR_CACHE_NOT_JSON", "the code of the error");
  }
  assertEqual(await cache.get("refused"), "before", "the value after a refused set");
}

async function expiresExactly(store: CacheStore): Promise<void> {
  let now = Date.now();
  const cache = createCache(store, { now: () => now });
  for (const ttlMs of [1, 50, 59_999, 60_000]) {
    await cache.set("ttl", "here", ttlMs);
    const set = now;
    // A store with its own millisecond clock may expire the shortest early; the cache does not.
    now = set + ttlMs;
    assertEqual(await cache.get("ttl"), undefined, `the value after ${ttlMs} ms`);
    now = set;
    if (ttlMs > 1_000) {
      now = set + ttlMs - 1;
      assertEqual(await cache.get("ttl"), "here", `the value after ${ttlMs - 1} ms`);
    }
  }
  for (const ttlMs of [undefined, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER]) {
    await cache.set("ttl", "here", ttlMs);
    now += 1e12;
    assertEqual(await cache.get("ttl"), "here", `the value kept for ${ttlMs}`);
    now -= 1e12;
  }
  await cache.set("ttl", "gone", 0);
  assertEqual(await cache.get("ttl"), undefined, "the value kept for 0 ms");
}

async function callsOneProducer(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  await cache.delete("flight");
  let calls = 0;
  const produce = async (): Promise<{ call: number }> => ({ call: ++calls });
  const callers = Array.from({ length: 100 }, () => cache.remember("flight", produce, 60_000));
  const values = await Promise.all(callers);
  assertEqual(calls, 1, "the number of producer calls");
  assertEqual(new Set(values).size, 100, "the number of copies");
  assertEqual(values[99], { call: 1 }, "the value of the last caller");
}

async function keepsNoFailure(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  await cache.delete("failure");
  const failing = (): Promise<never> => Promise.reject(new Error("no luck"));
  const callers = Array.from({ length: 10 }, () => cache.remember("failure", failing, 60_000));
  const outcomes = await Promise.allSettled(callers);
  assertEqual(
    outcomes.every((outcome) => outcome.status === "rejected"),
    true,
    "all rejected",
  );
  assertEqual(await cache.remember("failure", () => "luck", 60_000), "luck", "the next call");
}

async function leavesDeleted(store: CacheStore): Promise<void> {
  const cache = createCache(store);
  await cache.delete("deleted");
  let finish = (): void => {};
  const started = new Promise<void>((resolveStarted) => {
    const produce = (): Promise<string> => {
      resolveStarted();
      return new Promise((resolve) => {
        finish = () => resolve("made");
      });
    };
    const made = cache.remember("deleted", produce, 60_000);
    made.catch(() => {});
  });
  await started;
  await cache.delete("deleted");
  finish();
  assertEqual(await cache.get("deleted"), undefined, "the value after its producer ended");
}

async function servesStale(store: CacheStore): Promise<void> {
  let now = Date.now();
  const work: Promise<unknown>[] = [];
  const cache = createCache(store, { now: () => now, background: (promise) => work.push(promise) });
  await cache.delete("stale");
  let calls = 0;
  const remember = (): Promise<number> =>
    cache.remember("stale", async () => ++calls, 10_000, { staleMs: 20_000 });
  assertEqual(await remember(), 1, "the first value");
  now += 15_000;
  assertEqual(await Promise.all([remember(), remember()]), [1, 1], "the stale value");
  await Promise.all(work);
  assertEqual(await remember(), 2, "the refreshed value");
  assertEqual(calls, 2, "the number of producer calls");
  now += 30_000;
  assertEqual(await remember(), 3, "the value after the stale time");
}
