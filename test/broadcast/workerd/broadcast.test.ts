import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkerd } from "../../support/workerd.ts";

let miniflare: Miniflare;
beforeAll(async () => {
  const object = { type: "durable-object", worker: "worker" };
  const storage = { type: "durable-object", storage: "sqlite" };
  miniflare = await startWorkerd("test/broadcast/workerd/broadcast-worker.ts", {
    env: {
      BROADCAST: { ...object, exportName: "BroadcastDurableObject" },
      INSTANCE: { ...object, exportName: "Instance" },
    },
    worker: { exports: { BroadcastDurableObject: storage, Instance: storage } },
  });
  await miniflare.ready;
});
afterAll(() => miniflare.dispose());

const ask = async (path: string): Promise<unknown> =>
  (await miniflare.dispatchFetch(`http://localhost${path}`)).json();

test("the adapter of Durable Objects passes the conformance suite", async () => {
  expect(await ask("/suite")).toEqual({ count: 8, failed: [] });
});

test("a broadcast of a Worker reaches the handlers of applications in Durable Objects", async () => {
  expect(await ask("/first")).toEqual([]);
  expect(await ask("/second")).toEqual([]);
  await ask("/send/hello");
  await expect.poll(() => ask("/first")).toEqual(["hello"]);
  await expect.poll(() => ask("/second")).toEqual(["hello"]);
});
