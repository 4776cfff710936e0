import { describe, expect, it } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import type { JobRecord } from "../../src/queue/queue-adapter.ts";
import { queueAdapterSuite } from "../../src/testing/queue-adapter-suite.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";

const clock = new FakeClock();
queueAdapterSuite({
  name: "memory",
  describe,
  it,
  createAdapter: () => new MemoryQueueAdapter({ clock }),
  now: () => clock.now(),
  wait: (ms) => clock.advance(ms),
});

function job(id: string, changes: Partial<JobRecord> = {}): JobRecord {
  const time = clock.now();
  const times = { enqueuedAt: time, dueAt: time };
  return {
    id,
    keepIdMs: 0,
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
  it("drops the oldest failed jobs beyond its limit", async () => {
    const queue = new MemoryQueueAdapter({ clock, failedLimit: 3 });
    for (let index = 0; index < 5; index++) {
      await queue.push([job(`j${index}`)]);
      for (const { id, lease } of await pullJobs(queue, 1, 1000)) await queue.dead(id, lease, "e");
    }
    expect((await queue.failed(10)).map(({ id }) => id)).toEqual(["j2", "j3", "j4"]);
    expect(await queue.failed(1)).toHaveLength(1);
  });

  it.each<[string, (queue: MemoryQueueAdapter) => Promise<unknown>, unknown]>([
    ["counts", (queue) => queue.counts(), { waiting: 1, delayed: 0, running: 0, failed: 0 }],
    ["find", async (queue) => (await queue.find("a"))?.state, "waiting"],
    ["cancel", (queue) => queue.cancel("a"), true],
  ])("%s sees a job whose lease has expired as waiting", async (_name, call, expected) => {
    const queue = new MemoryQueueAdapter({ clock });
    await queue.push([job("a", { maxAttempts: 3 })]);
    await pullJobs(queue, 1, 1_000);
    expect((await queue.find("a"))?.state).toBe("running");
    await clock.advance(1_000);
    expect(await call(queue)).toEqual(expected);
  });

  it("orders 2 000 jobs by priority and then by arrival", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
    for (let index = 0; index < 2_000; index++) {
      await queue.push([job(String(index), { name: `n${random() % 5}`, priority: random() % 7 })]);
    }
    const pulled = await pullJobs(queue, 2_000, 1000, ["n0", "n1", "n2", "n3", "n4"]);
    expect(pulled).toHaveLength(2_000);
    const keys = pulled.map(({ priority, id }) => (7 - priority) * 100_000 + Number(id));
    expect(keys).toEqual(keys.toSorted((a, b) => a - b));
  });

  it("reports when the next job becomes due", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    expect(queue.nextDueAt()).toBeUndefined();
    await queue.push([job("a", { dueAt: clock.now() + 500 })]);
    expect(queue.nextDueAt()).toBe(clock.now() + 500);
    await queue.push([job("b", { dueAt: clock.now() + 700 })]);
    await queue.push([job("c", { dueAt: clock.now() + 300 })]);
    expect(queue.nextDueAt()).toBe(clock.now() + 300);
    await clock.advance(300);
    expect((await pullJobs(queue, 9, 1000)).map(({ id }) => id)).toEqual(["c"]);
    expect(queue.nextDueAt()).toBe(clock.now() + 200);
  });

  it("does not report jobs that are already due", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    await queue.push([job("now")]);
    expect(queue.nextDueAt()).toBeUndefined();
  });

  it("runs jobs in the order of their due times, not of their arrival", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    await queue.push([job("late", { dueAt: clock.now() + 20 })]);
    await queue.push([job("early", { dueAt: clock.now() + 10 })]);
    await clock.advance(30);
    await queue.push([job("last")]);
    expect((await pullJobs(queue, 9, 1000)).map(({ id }) => id)).toEqual(["early", "late", "last"]);
  });

  it("ends each lease at its time, and accepts no result after it", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    for (const id of ["a", "b", "c"]) await queue.push([job(id, { maxAttempts: 9 })]);
    const [a] = await pullJobs(queue, 1, 1000);
    const [b] = await pullJobs(queue, 1, 5000);
    await pullJobs(queue, 1, 3000);
    await clock.advance(999);
    expect(await pullJobs(queue, 9, 9000)).toEqual([]);
    await clock.advance(1);
    // Reading also reports an expired lease, without taking the job.
    await pullJobs(queue, 0, 9000);
    expect(await queue.ack("a", a?.lease ?? "")).toBe(false);
    expect(await countPending(queue)).toBe(3);
    expect((await pullJobs(queue, 9, 9000)).map(({ id, attempt }) => [id, attempt])).toEqual([
      ["a", 2],
    ]);
    await clock.advance(2000);
    expect((await pullJobs(queue, 9, 9000)).map(({ id }) => id)).toEqual(["c"]);
    await clock.advance(1999);
    expect(await queue.ack("b", b?.lease ?? "")).toBe(true);
    expect(await countPending(queue)).toBe(2);
  });

  it("lists failed jobs in the order of their last failure", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    for (const id of ["a", "b", "a"]) {
      await queue.push([job(id)]);
      for (const { lease } of await pullJobs(queue, 1, 1000)) await queue.dead(id, lease, "e");
    }
    expect((await queue.failed(10)).map(({ id }) => id)).toEqual(["b", "a"]);
  });

  it("delivers to each name up to its capacity", async () => {
    const queue = new MemoryQueueAdapter({ clock });
    for (const [id, name] of [
      ["1", "x"],
      ["2", "x"],
      ["3", "y"],
      ["4", "z"],
      ["5", "z"],
    ] as const) {
      await queue.push([job(id, { name })]);
    }
    const room = new Map([
      ["x", 1],
      ["z", 5],
    ]);
    expect((await pullJobs(queue, 9, 1000, room)).map(({ id }) => id)).toEqual(["1", "4", "5"]);
    expect((await pullJobs(queue, 9, 1000, room)).map(({ id }) => id)).toEqual(["2"]);
    expect((await pullJobs(queue, 9, 1000, ["y"])).map(({ id }) => id)).toEqual(["3"]);
  });
});
