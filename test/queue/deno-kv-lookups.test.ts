import { describe, expect, it, vi } from "vitest";
import { listenRequest } from "../support/pull-jobs.ts";
import { createDenoKvPair } from "./support/deno-kv-pair.ts";
import { MemoryDenoKv } from "./support/memory-deno-kv.ts";

/** Adds an entry without a value to the next lists: one that was deleted after its key was read. */
function listDeletedEntry(kv: MemoryDenoKv, lists = 1): void {
  const list = MemoryDenoKv.prototype.list.bind(kv);
  const listed = vi.spyOn(kv, "list");
  for (let count = 0; count < lists; count += 1) {
    listed.mockImplementationOnce(async function* (selector, options) {
      yield { key: [...selector.prefix, "deleted"], value: null, versionstamp: null };
      yield* list<never>(selector, options);
    });
  }
}

describe("lookups on Deno KV", () => {
  it("counts and finds jobs in each state", async () => {
    const { clock, adapter, push } = createDenoKvPair();
    await push("failing", { attempt: 3 });
    await push("failing too");
    await push("running", { payload: { kept: true } });
    await adapter.listen(async ({ id, lease }) => {
      if (id !== "running") await adapter.dead(id, lease, "boom");
      else await new Promise(() => {});
    }, listenRequest());
    await clock.advance(0);
    const enqueuedAt = clock.now();
    await push("waiting");
    await push("delayed", { dueAt: enqueuedAt + 1 });
    expect(await adapter.counts()).toEqual({ waiting: 1, delayed: 1, running: 1, failed: 2 });
    const limits = { name: "x", maxAttempts: 3, enqueuedAt };
    const states = [
      { id: "waiting", payload: "waiting", state: "waiting", attempt: 0 },
      { id: "delayed", payload: "delayed", state: "delayed", attempt: 0 },
      { id: "running", payload: { kept: true }, state: "running", attempt: 1 },
      { id: "failing too", payload: "failing too", state: "failed", attempt: 1, error: "boom" },
      // It was delivered once more than its attempts.
      { id: "failing", payload: "failing", state: "failed", attempt: 3, error: "boom" },
    ];
    for (const expected of states) {
      expect(await adapter.find(expected.id)).toEqual({ ...limits, ...expected });
    }
    expect(await adapter.find("unknown")).toBeUndefined();
  });

  it("cancels waiting jobs, but no running one", async () => {
    const { clock, adapter, push } = createDenoKvPair();
    await push("running");
    await push("delayed", { dueAt: clock.now() + 1000 });
    const results: boolean[] = [];
    await adapter.listen(async ({ id, lease }) => {
      results.push(await adapter.cancel(id), await adapter.ack(id, lease));
    }, listenRequest());
    await clock.advance(0);
    expect(results).toEqual([false, true]);
    expect([await adapter.cancel("delayed"), await adapter.cancel("delayed")]).toEqual([
      true,
      false,
    ]);
  });

  it("skips entries deleted while they are listed", async () => {
    const { clock, kv, adapter, push } = createDenoKvPair();
    await push("failed");
    listDeletedEntry(kv);
    await adapter.listen(async ({ id, lease }) => {
      await adapter.dead(id, lease, "boom");
    }, listenRequest());
    await clock.advance(0);
    await push("waiting", { dueAt: clock.now() + 1 });
    listDeletedEntry(kv);
    expect((await adapter.failed(10)).map(({ id }) => id)).toEqual(["failed"]);
    // The pending and the failed jobs.
    listDeletedEntry(kv, 2);
    expect(await adapter.counts()).toEqual({ waiting: 0, delayed: 1, running: 0, failed: 1 });
  });
});
