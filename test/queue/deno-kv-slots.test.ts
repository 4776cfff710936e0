import { describe, expect, it } from "vitest";
import { DenoKvQueueAdapter } from "../../src/platform/deno/kv-queue-adapter.ts";
import type { LeasedJob } from "../../src/queue/queue-adapter.ts";
import { createDenoKvPair } from "./support/deno-kv-pair.ts";

/** An adapter whose jobs run until the test ends them. */
async function createListener(limits: Record<string, number>, concurrency = 50) {
  const { clock, kv, adapter, push } = createDenoKvPair();
  const stop = new AbortController();
  const running = new Map<string, () => Promise<void>>();
  const runOf = (own: DenoKvQueueAdapter) => (job: LeasedJob) =>
    new Promise<void>((resolve) => {
      running.set(job.id, async () => {
        running.delete(job.id);
        await own.ack(job.id, job.lease);
        resolve();
        await clock.advance(0);
      });
    });
  const request = { concurrency, leaseMs: () => 45_000, signal: stop.signal };
  const names = new Map(Object.entries(limits));
  await adapter.listen(runOf(adapter), { ...request, names });
  /** Lets another process listen, which gets all messages from now on. */
  const startOther = async (): Promise<void> => {
    const other = new DenoKvQueueAdapter({ kv, clock });
    await other.listen(runOf(other), { ...request, names });
  };
  const end = async (id: string): Promise<void> => {
    const endRunning = running.get(id);
    if (endRunning === undefined) throw new Error(`The job ${id} is not running.`);
    await endRunning();
  };
  const ids = (): string[] => [...running.keys()];
  return { clock, kv, adapter, push, ids, end, stop, startOther };
}

describe("a job of Deno KV for which no slot is free", () => {
  it("is not leased until one is, in the order of arrival", async () => {
    const { clock, adapter, push, ids, end } = await createListener({ x: 1 });
    for (const id of ["one", "two", "three"]) await push(id);
    await clock.advance(0);
    expect(ids()).toEqual(["one"]);
    expect(await adapter.counts()).toMatchObject({ running: 1, waiting: 2 });
    expect(await adapter.find("two")).toMatchObject({ state: "waiting", attempt: 0 });
    await end("one");
    expect(ids()).toEqual(["two"]);
    expect(await adapter.find("two")).toMatchObject({ state: "running", attempt: 1 });
    await end("two");
    expect(ids()).toEqual(["three"]);
  });

  it("may still be cancelled", async () => {
    const { clock, adapter, push, ids, end } = await createListener({ x: 1 });
    await push("one");
    await push("two");
    await clock.advance(0);
    expect(await adapter.cancel("two")).toBe(true);
    await end("one");
    expect(ids()).toEqual([]);
    expect(await adapter.find("two")).toBeUndefined();
  });

  it("waits for the slots of all names together, and of its own name alone", async () => {
    const { clock, push, ids, end } = await createListener({ x: 1, y: 5 }, 3);
    for (const id of ["x1", "x2", "y1", "y2", "y3"]) await push(id, { name: id[0] ?? "" });
    await clock.advance(0);
    expect(ids()).toEqual(["x1", "y1", "y2"]);
    await end("y1");
    expect(ids()).toEqual(["x1", "y2", "y3"]);
    await end("x1");
    expect(ids()).toEqual(["y2", "y3", "x2"]);
  });

  it("is left to other processes after five seconds, with all its attempts", async () => {
    const { clock, adapter, push, ids, startOther } = await createListener({ x: 1 });
    await push("one");
    await push("two");
    await clock.advance(0);
    await startOther();
    await clock.advance(5999);
    expect(ids()).toEqual(["one"]);
    expect(await adapter.find("two")).toMatchObject({ state: "waiting", attempt: 0 });
    await clock.advance(1);
    expect(ids()).toEqual(["one", "two"]);
    expect(await adapter.find("two")).toMatchObject({ state: "running", attempt: 1 });
  });

  it("is left to other processes when the queue stops", async () => {
    const { clock, adapter, push, ids, end, stop } = await createListener({ x: 1 });
    await push("one");
    await push("two");
    await clock.advance(0);
    stop.abort();
    await end("one");
    await adapter.close();
    await clock.advance(4999);
    expect(ids()).toEqual([]);
    expect(await adapter.find("two")).toMatchObject({ state: "waiting", attempt: 0 });
  });
});
