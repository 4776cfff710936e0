import { describe, expect, it } from "vitest";
import { MemoryQueue } from "../../src/queue/memory-queue.ts";
import type { JobRecord } from "../../src/queue/queue-adapter.ts";
import { queueAdapterSuite } from "../../src/testing/queue-adapter-suite.ts";
import { FakeClock } from "./support/fake-clock.ts";

const clock = new FakeClock();
queueAdapterSuite({
  name: "memory",
  describe,
  it,
  createAdapter: () => new MemoryQueue({ clock }),
  now: () => clock.now(),
  wait: (ms) => clock.advance(ms),
});

function job(id: string, changes: Partial<JobRecord> = {}): JobRecord {
  const time = clock.now();
  const times = { enqueuedAt: time, dueAt: time };
  return {
    id,
    name: "x",
    payload: null,
    attempt: 0,
    maxAttempts: 1,
    priority: 0,
    backoff: {},
    ...times,
    ...changes,
  };
}

describe("the in-memory adapter", () => {
  it("forgets the oldest dead jobs beyond its limit", async () => {
    const queue = new MemoryQueue({ clock, failedLimit: 3 });
    for (let index = 0; index < 5; index++) {
      await queue.push(job(`j${index}`));
      for (const { id, lease } of await queue.pull(1, 1000)) await queue.dead(id, lease, "e");
    }
    expect((await queue.failed(10)).map(({ id }) => id)).toEqual(["j2", "j3", "j4"]);
    expect(await queue.failed(1)).toHaveLength(1);
  });

  it("orders 2 000 jobs by priority and then by arrival", async () => {
    const queue = new MemoryQueue({ clock });
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
    for (let index = 0; index < 2_000; index++) {
      await queue.push(job(String(index), { name: `n${random() % 5}`, priority: random() % 7 }));
    }
    const pulled = await queue.pull(2_000, 1000);
    expect(pulled).toHaveLength(2_000);
    const keys = pulled.map(({ priority, id }) => (7 - priority) * 100_000 + Number(id));
    expect(keys).toEqual(keys.toSorted((a, b) => a - b));
  });

  it("tells when the next job becomes due", async () => {
    const queue = new MemoryQueue({ clock });
    expect(queue.nextDueAt()).toBeUndefined();
    await queue.push(job("a", { dueAt: clock.now() + 500 }));
    expect(queue.nextDueAt()).toBe(clock.now() + 500);
  });
});
