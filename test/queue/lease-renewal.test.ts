import { describe, expect, it } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";

const hour = 3_600_000;

function createQueue(changes: (memory: MemoryQueueAdapter) => Partial<QueueAdapter> = () => ({})) {
  const clock = new FakeClock();
  const memory = new MemoryQueueAdapter({ clock });
  const renewals: number[] = [];
  const leases: number[] = [];
  const adapter: QueueAdapter = {
    push: (jobs) => memory.push(jobs),
    pull: (request) => {
      leases.push(request.leaseMs("long"));
      return memory.pull(request);
    },
    renew: (id, lease, leaseMs) => {
      renewals.push(leaseMs);
      return memory.renew(id, lease, leaseMs);
    },
    ack: (id, lease) => memory.ack(id, lease),
    retry: (id, lease, atMs) => memory.retry(id, lease, atMs),
    release: (id, lease) => memory.release(id, lease),
    dead: (id, lease, error) => memory.dead(id, lease, error),
    ...changes(memory),
  };
  const queue = new Queue<Record<string, unknown>>({
    adapter,
    clock,
    createJobContext: () => ({}),
  });
  const attempts: number[] = [];
  queue.process(
    "long",
    async ({ attempt }) => {
      attempts.push(attempt);
      await new Promise<void>((resolve) => clock.after(hour, resolve));
    },
    { timeoutMs: 4 * hour },
  );
  return { clock, memory, queue, leases, renewals, attempts };
}

describe("a lease that the adapter can renew", () => {
  it("is a minute long, and renewed for as long as the handler runs", async () => {
    const { clock, memory, queue, leases, renewals, attempts } = createQueue();
    await queue.start();
    await queue.enqueue("long", null);
    await clock.advance(hour + 1000);
    expect(leases[0]).toBe(60_000);
    expect(renewals.length).toBe(180);
    expect(attempts).toEqual([1]);
    expect(await countPending(memory)).toBe(0);
    await clock.advance(10 * 60_000);
    expect(renewals.length).toBe(180);
    await queue.stop();
  });

  it("is over a minute after its process ended", async () => {
    const { clock, memory, queue } = createQueue();
    await queue.enqueue("long", null, { id: "job" });
    await queue.stop();
    const [job] = await pullJobs(memory, 1, 60_000, ["long"]);
    expect(job?.id).toBe("job");
    await clock.advance(60_001);
    expect(await pullJobs(memory, 1, 60_000, ["long"])).toHaveLength(1);
  });

  it("is renewed again after a renewal that failed", async () => {
    let failures = 2;
    const { clock, memory, queue, attempts } = createQueue((store) => ({
      renew: async (id, lease, leaseMs) => {
        if (failures-- > 0) throw new Error("READONLY");
        return await store.renew(id, lease, leaseMs);
      },
    }));
    await queue.start();
    await queue.enqueue("long", null);
    await clock.advance(hour + 1000);
    expect(attempts).toEqual([1]);
    expect(await countPending(memory)).toBe(0);
    await queue.stop();
  });

  it("does not end before a renewal in progress, which would outlive it", async () => {
    const calls: string[] = [];
    const { clock, queue } = createQueue((store) => ({
      renew: async (id, lease, leaseMs) => {
        await new Promise<void>((resolve) => clock.after(4000, resolve));
        calls.push("renewed");
        return await store.renew(id, lease, leaseMs);
      },
      ack: async (id, lease) => {
        calls.push("ack");
        return await store.ack(id, lease);
      },
    }));
    // A renewal starts at 3,592 s and takes longer than the handler.
    await queue.start();
    await queue.enqueue("long", null);
    await clock.advance(hour + 10_000);
    expect(calls.at(-1)).toBe("ack");
    expect(calls.filter((call) => call === "ack")).toHaveLength(1);
    await queue.stop();
  });
});

it("a lease that the adapter cannot renew is as long as the handler may take", async () => {
  const { clock, queue, leases } = createQueue(() => ({ renew: undefined }) as never);
  await queue.start();
  await queue.enqueue("long", null);
  await clock.advance(1);
  expect(leases[0]).toBe(4 * hour + 15_000);
  await clock.advance(hour);
  await queue.stop();
});
