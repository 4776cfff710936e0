import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkerd } from "../../support/workerd.ts";

let miniflare: Miniflare;
beforeAll(async () => {
  miniflare = await startWorkerd("test/lock/workerd/lock-worker.ts", {
    env: { LOCK: { type: "durable-object", worker: "worker", exportName: "LockDurableObject" } },
    worker: { exports: { LockDurableObject: { type: "durable-object", storage: "sqlite" } } },
  });
  await miniflare.ready;
});
afterAll(() => miniflare.dispose());

const ask = async (path: string): Promise<unknown> =>
  (await miniflare.dispatchFetch(`http://localhost${path}`)).json();

test("a lock in a Durable Object has one holder, and a fencing token that grows", async () => {
  const begunAt = Date.now() * 1000;
  const first = Number(await ask("/acquire/import/a/5000"));
  expect(first).toBeGreaterThanOrEqual(begunAt);
  expect(first).toBeLessThanOrEqual(Date.now() * 1000);
  expect(await ask("/acquire/import/b/5000")).toBeNull();
  expect(await ask("/acquire/export/b/5000")).toBeGreaterThanOrEqual(first);
  expect(await ask("/release/import/b/0")).toBe(false);
  expect(await ask("/renew/import/b/5000")).toBe(false);
  expect(await ask("/renew/import/a/5000")).toBe(true);
  expect(await ask("/release/import/a/0")).toBe(true);
  expect(await ask("/release/import/a/0")).toBe(false);
  expect(await ask("/acquire/import/b/5000")).toBeGreaterThan(first);
});

test("it expires with its time to live, which a renewal extends", async () => {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  expect(await ask("/acquire/renewed/a/2000")).toEqual(expect.any(Number));
  expect(await ask("/renew/renewed/a/60000")).toBe(true);
  const first = await ask("/acquire/short/a/100");
  await wait(2000);
  expect(await ask("/acquire/renewed/b/5000")).toBeNull();
  expect(await ask("/renew/short/a/60000")).toBe(false);
  expect(await ask("/acquire/short/b/60000")).toBeGreaterThan(Number(first));
  expect(await ask("/release/short/a/0")).toBe(false);
});

test("it is that of app.lock: one of 20 requests at once takes it", async () => {
  const first = (await ask("/race/job")) as number[];
  const second = (await ask("/race/job")) as number[];
  expect([first.length, second.length]).toEqual([1, 1]);
  expect(second[0]).toBeGreaterThan(first[0] ?? Number.POSITIVE_INFINITY);
});
