import { toCacheStore } from "../../../src/cache/store-from.ts";
import { DenoKvCacheStore } from "../../../src/platform/deno/kv-cache-store.ts";
import type { DenoKv } from "../../../src/platform/deno/kv-cache-types.ts";
import { assertEqual, assertRejects } from "../../../src/testing/assertions.ts";
import { cacheStoreSuite } from "../../../src/testing/cache-store-suite.ts";

// The subset of Deno's API used here.
declare const Deno: { openKv(path: string): Promise<DenoKv>; args: string[] };

const tests: { name: string; body: () => Promise<void> }[] = [];
const it = (name: string, body: () => Promise<void>): void => {
  tests.push({ name, body });
};
const describe = (_name: string, body: () => void): void => body();

const opened = Deno.openKv(Deno.args[0] ?? ":memory:");
const createStore = async () => toCacheStore(await opened);
cacheStoreSuite({ describe, it, name: "deno kv", createStore });

it("stores large strings completely, without remains of longer ones", async () => {
  const store = new DenoKvCacheStore(() => opened);
  for (const length of [390_000, 61_000, 60_000, 30_001, 30_000, 1, 0, 390_000]) {
    const text = "日".repeat(length);
    await store.set("large", text, 60_000);
    assertEqual(await store.get("large"), text, `a text of ${length} characters`);
  }
  await store.delete("large");
  assertEqual(await store.get("large"), undefined, "the text after delete");
  const kv = await opened;
  for await (const entry of kv.list({ prefix: ["cache", "large"] })) {
    throw new Error(`A part is left behind: ${entry.key.join()}`);
  }
});

it("rejects a string that is too large, and keeps the previous one", async () => {
  const store = new DenoKvCacheStore(() => opened);
  await store.set("large", "before");
  const error = await assertRejects(store.set("large", "x".repeat(390_001)), "a large text");
  assertEqual(
    error instanceof Error && "code" in error && error.code,
    "ERR_CACHE_VALUE_TOO_LARGE",
    "code",
  );
  assertEqual(await store.get("large"), "before", "the earlier text");
});

it("has no entry if some of its parts are missing", async () => {
  const store = new DenoKvCacheStore(() => opened);
  await store.set("parts", "x".repeat(90_000));
  const kv = await opened;
  await kv.delete(["cache", "parts", 1]);
  assertEqual(await store.get("parts"), undefined, "the text without its second part");
});

it("opens the database lazily, and retries after a failure", async () => {
  let openings = 0;
  const store = new DenoKvCacheStore(async () => {
    openings += 1;
    if (openings === 1) throw new Error("locked");
    return await opened;
  });
  assertEqual(openings, 0, "openings before use");
  await assertRejects(store.get("key"), "get while the database is locked");
  await Promise.all([store.set("key", "text"), store.get("key")]);
  assertEqual(openings, 2, "openings");
});

const failures: string[] = [];
for (const { name, body } of tests) {
  await body().catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
}
console.log(JSON.stringify({ passed: tests.length - failures.length, failures }));
