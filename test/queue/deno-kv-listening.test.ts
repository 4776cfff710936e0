import { describe, expect, it } from "vitest";
import { DenoKvQueueAdapter } from "../../src/platform/deno/kv-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { listenRequest } from "../support/pull-jobs.ts";
import { createDenoKvPair } from "./support/deno-kv-pair.ts";
import { MemoryDenoKv } from "./support/memory-deno-kv.ts";

function createPair() {
  const { clock, kv, adapter } = createDenoKvPair();
  const queue = new Queue({ adapter, clock, createJobContext: () => ({}) });
  return { clock, kv, adapter, queue };
}

describe("a Deno KV database of the queue", () => {
  it("opens after a failure", async () => {
    const clock = new FakeClock();
    let openings = 0;
    const open = async () => {
      openings += 1;
      if (openings === 1) throw new Error("locked");
      return new MemoryDenoKv(clock);
    };
    const adapter = new DenoKvQueueAdapter({ kv: open, clock });
    await expect(adapter.find("one")).rejects.toThrow("locked");
    expect(await adapter.find("one")).toBeUndefined();
    expect(openings).toBe(2);
  });

  it("deletes a kept id after its time", async () => {
    const { queue, clock, kv } = createPair();
    await queue.enqueue("x", null, { id: "one", keepIdMs: 1000 });
    const key = ["espalier-queue", "id", "one"];
    await clock.advance(999);
    expect((await kv.get(key)).value).toBe(clock.now() + 1);
    await clock.advance(1);
    expect((await kv.get(key)).value).toBeNull();
  });

  it("is not listened to for a queue that has been stopped", async () => {
    const { kv, adapter } = createPair();
    await adapter.listen(async () => {}, listenRequest(["x"], AbortSignal.abort()));
    expect(kv.listens).toBe(0);
  });

  it("is listened to again after the application has closed and reopened it", async () => {
    const { clock, kv, adapter } = createPair();
    await adapter.listen(async () => {}, listenRequest());
    kv.close();
    await clock.advance(0);
    await adapter.listen(async () => {}, listenRequest());
    expect(kv.listens).toBe(2);
  });

  it("delivers the jobs of names that are added to those before", async () => {
    const { clock, kv, adapter, queue } = createPair();
    const names: string[] = [];
    const { signal } = new AbortController();
    for (const listener of ["x", "y"]) {
      await adapter.listen(
        async ({ id, lease, name }) => {
          names.push(name);
          await adapter.ack(id, lease);
        },
        listenRequest([listener], signal),
      );
    }
    await queue.enqueue("x", null);
    await queue.enqueue("y", null);
    await clock.advance(0);
    expect(names).toEqual(["x", "y"]);
    expect(kv.listens).toBe(1);
  });

  it("keeps other entries as they are", async () => {
    const { kv, adapter } = createPair();
    const key = ["espalier-queue", "other", "one"];
    kv.put(["other"], { dueAt: 0 }, "v");
    kv.put(key, { dueAt: 0 }, "v");
    await adapter.listen(async () => {}, listenRequest());
    const entry = { value: { dueAt: 0 }, versionstamp: "v" };
    expect([await kv.get(["other"]), await kv.get(key)]).toEqual([
      { key: ["other"], ...entry },
      { key, ...entry },
    ]);
  });
});
