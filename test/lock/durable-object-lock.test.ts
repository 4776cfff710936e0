import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DurableObjectLockStore } from "../../src/platform/cloudflare/durable-object-lock-store.ts";
import { LockDurableObject } from "../../src/platform/cloudflare/lock-durable-object.ts";
import { createNamespace } from "../platform/cloudflare/support/object-state.ts";
import { expectGrowingTokens } from "../support/fencing-tokens.ts";
import { expectSeparateLocks } from "../support/hostile-names.ts";

const start = Date.UTC(2026, 0, 1);
beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

function createStore() {
  const parts = createNamespace(LockDurableObject);
  return { ...parts, store: new DurableObjectLockStore({ namespace: () => parts.namespace }) };
}

test("a lock has one owner until it is released, and a token that grows", async () => {
  const { store, states } = createStore();
  expect(await store.acquire("import", "a", 1000)).toBe(start * 1000);
  expect(await store.acquire("import", "b", 1000)).toBeUndefined();
  expect(await store.acquire("export", "b", 1000)).toBe(start * 1000);
  expect([await store.renew("import", "b", 9000), await store.release("import", "b")]).toEqual([
    false,
    false,
  ]);
  expect(await store.release("import", "a")).toBe(true);
  expect([await store.renew("import", "a", 9000), await store.release("import", "a")]).toEqual([
    false,
    false,
  ]);
  expect(await store.acquire("import", "b", 1000)).toBe(start * 1000 + 1);
  expect([...states.keys()]).toEqual(["import", "export"]);
});

test("a lock expires at its time, and a renewal extends it", async () => {
  const { store } = createStore();
  await store.acquire("import", "a", 1000);
  pass(999);
  expect(await store.acquire("import", "b", 1000)).toBeUndefined();
  expect(await store.renew("import", "a", 1000)).toBe(true);
  pass(999);
  expect(await store.acquire("import", "b", 1000)).toBeUndefined();
  pass(1);
  expect(await store.renew("import", "a", 1000)).toBe(false);
  expect(await store.release("import", "a")).toBe(false);
  expect(await store.acquire("import", "b", 1000)).toBe((start + 1999) * 1000);
});

test("a lock survives a restart of its object", async () => {
  const { store, restart } = createStore();
  await store.acquire("import", "a", 1000);
  restart();
  expect(await store.acquire("import", "b", 1000)).toBeUndefined();
  expect(await store.release("import", "a")).toBe(true);
  restart();
  expect(await store.acquire("import", "b", 1000)).toBe(start * 1000 + 1);
});

test("tokens grow, also after the storage was deleted and after the clock was set back", async () => {
  const { store } = createStore();
  await expectGrowingTokens(store, () => {
    pass(1);
    return createStore().store;
  });
  const before = (await store.acquire("import", "a", 1000)) ?? Number.NaN;
  await store.release("import", "a");
  pass(-60_000);
  expect(await store.acquire("import", "b", 1000)).toBe(before + 1);
});

test("the name of an owner may have any characters", async () => {
  const { store } = createStore();
  const owner = "a&owner=b é/?";
  expect(await store.acquire("import", owner, 1000)).toBeDefined();
  expect(await store.release("import", "a")).toBe(false);
  expect(await store.release("import", owner)).toBe(true);
});

test("locks of any names are separate", async () => {
  await expectSeparateLocks(createStore().store);
});

test("an unknown call has no effect", async () => {
  const { namespace, store } = createStore();
  await store.acquire("import", "a", 1000);
  const object = namespace.get(namespace.idFromName("import"));
  const response = await object.fetch("https://lock.invalid/steal?owner=a&ttlMs=1");
  expect(await response.json()).toEqual({ done: false });
  expect(await store.renew("import", "a", 1000)).toBe(true);
});

test.each([
  [404, { done: true }],
  [200, "hello"],
  [200, null],
  [200, { token: 1 }],
])("an object that responds with %d and %j is not one of a lock", async (status, content) => {
  const store = new DurableObjectLockStore({
    namespace: {
      idFromName: (name) => name,
      get: () => ({ fetch: async () => ({ status, json: async () => content }) }),
    },
  });
  await expect(store.acquire("import", "a", 1000)).rejects.toMatchObject({
    code: "ERR_LOCK_BAD_STORE",
    message: expect.stringContaining(`"import" answered ${status}`),
  });
});
