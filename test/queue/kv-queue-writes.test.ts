import { describe, expect, it } from "vitest";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvPutOptions } from "../../src/platform/cloudflare/kv-types.ts";
import { Queue } from "../../src/queue/queue.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";
import { MemoryKv } from "./support/memory-kv.ts";

/** A namespace that rejects a second write of a key within a second, as Workers KV does. */
class RateLimitedKv extends MemoryKv {
  readonly clock: FakeClock;
  readonly #writtenAt = new Map<string, number>();
  refused = 0;
  /** Number of the next writes that take effect and are reported as failed. */
  failsAfterEffect = 0;

  constructor(clock: FakeClock) {
    super();
    this.clock = clock;
  }

  override async put(key: string, value: string, options: KvPutOptions = {}): Promise<void> {
    this.#limit(key);
    await super.put(key, value, options);
    if (this.failsAfterEffect-- > 0) throw new Error("KV: 500");
  }

  override async delete(key: string): Promise<void> {
    this.#limit(key);
    await super.delete(key);
  }

  #limit(key: string): void {
    const now = this.clock.now();
    if (now - (this.#writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) < 1000) {
      this.refused += 1;
      throw new Error("KV: 429 Too Many Requests");
    }
    this.#writtenAt.set(key, now);
  }
}

function createQueue() {
  const clock = new FakeClock();
  const namespace = new RateLimitedKv(clock);
  const adapter = new KvQueueAdapter({ namespace, clock });
  const queue = new Queue<Record<string, unknown>>({
    adapter,
    clock,
    createJobContext: () => ({}),
  });
  const runs: unknown[] = [];
  queue.process("x", (job) => void runs.push([job.payload, job.attempt]));
  return { clock, namespace, adapter, queue, runs };
}

describe("the queue on Workers KV, which accepts one write a second to a key", () => {
  it("waits for the rest of the second before it deletes a key, so that no write is rejected", async () => {
    const { clock, namespace, queue, runs } = createQueue();
    await queue.start();
    await Promise.all([1, 2, 3].map((number) => queue.enqueue("x", number)));
    await clock.advance(900);
    expect(runs).toHaveLength(3);
    expect(namespace.stored.size).toBeGreaterThan(0);
    await clock.advance(300);
    expect(namespace.stored.size).toBe(0);
    expect(namespace.refused).toBe(0);
    await queue.stop();
  });

  it("deletes the key of a longer job as soon as it has finished", async () => {
    const { clock, namespace, adapter, queue } = createQueue();
    await adapter.push([
      {
        ...{ id: "a", keepIdMs: 0, name: "x", payload: 1, attempt: 0, maxAttempts: 3, priority: 0 },
        ...{ enqueuedAt: clock.now(), dueAt: clock.now(), backoff: {} },
      },
    ]);
    await clock.advance(1200);
    const [job] = await pullJobs(adapter, 1, 45_000);
    await clock.advance(1200);
    expect(await adapter.ack("a", job?.lease ?? "")).toBe(true);
    expect(namespace.stored.size).toBe(0);
    await queue.stop();
  });

  it("enqueues under another key if a write is reported as failed, and runs the job once", async () => {
    const { clock, namespace, queue, runs } = createQueue();
    namespace.failsAfterEffect = 1;
    const enqueued = queue.enqueue("x", "again", { delayMs: 5000 });
    await clock.advance(200);
    await enqueued;
    expect(namespace.stored.size).toBe(2);
    await queue.start();
    await clock.advance(10_000);
    expect(runs).toEqual([["again", 1]]);
    expect(namespace.stored.size).toBe(0);
    await queue.stop();
  });

  it("does not count a lease that is reported as not written as an attempt", async () => {
    const { clock, namespace, adapter, queue, runs } = createQueue();
    await queue.enqueue("x", "counted once", { delayMs: 1200 });
    await queue.start();
    namespace.failsAfterEffect = 1;
    await clock.advance(1300);
    expect(runs).toEqual([]);
    await clock.advance(1100);
    expect(namespace.stored.size).toBe(1);
    await clock.advance(10_000);
    expect(runs).toEqual([["counted once", 1]]);
    expect(await countPending(adapter)).toBe(0);
    await queue.stop();
  });
});
