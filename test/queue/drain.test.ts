import { describe, expect, it } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { FakeClock } from "../support/fake-clock.ts";

function createQueue() {
  const clock = new FakeClock();
  const queue = new Queue<Record<string, unknown>>({
    // Without renewals, so that a lease expires.
    adapter: Object.assign(new MemoryQueueAdapter({ clock }), { renew: undefined as never }),
    clock,
    createJobContext: () => ({}),
    leaseMs: 10_000,
  });
  const waits = (delayMs: number): Promise<void> =>
    new Promise((resolve) => clock.after(delayMs, resolve));
  return { queue, clock, waits };
}

/** Returns true if a promise has resolved. */
function watch(work: Promise<number>): { result: number | undefined } {
  const watched: { result: number | undefined } = { result: undefined };
  work.then((result) => {
    watched.result = result;
  });
  return watched;
}

describe("draining a queue", () => {
  it("waits for jobs that the queue started by itself", async () => {
    const { queue, clock, waits } = createQueue();
    let ended = 0;
    queue.process("slow", async () => {
      await waits(500);
      ended += 1;
    });
    await queue.enqueue("slow", 1);
    await queue.enqueue("slow", 2);
    await clock.advance(10);
    const drained = watch(queue.drain());
    await clock.advance(480);
    expect([drained.result, ended]).toEqual([undefined, 0]);
    await clock.advance(20);
    expect([drained.result, ended]).toEqual([0, 2]);
  });

  it("does not wait for jobs that start afterwards", async () => {
    const { queue, clock, waits } = createQueue();
    queue.process("slow", () => waits(500));
    await queue.enqueue("slow", 1);
    await clock.advance(10);
    const drained = watch(queue.drain());
    await clock.advance(400);
    await queue.enqueue("slow", 2);
    await clock.advance(100);
    expect([drained.result, await queue.size()]).toEqual([0, 1]);
  });

  it("waits for a job at most as long as its lease", async () => {
    const { queue, clock } = createQueue();
    queue.process("lost", () => new Promise(() => {}), { timeoutMs: 60_000 });
    await queue.enqueue("lost", 1, { maxAttempts: 1 });
    await clock.advance(10);
    const drained = watch(queue.drain());
    await clock.advance(9_900);
    expect(drained.result).toBeUndefined();
    await clock.advance(200);
    expect(drained.result).toBeDefined();
  });

  it("does not wait for them if it has a time budget", async () => {
    const { queue, clock, waits } = createQueue();
    queue.process("slow", () => waits(500));
    await queue.enqueue("slow", 1);
    await clock.advance(10);
    const drained = watch(queue.drain({ budgetMs: 100 }));
    await clock.advance(1);
    expect(drained.result).toBe(0);
  });
});
