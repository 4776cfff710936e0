import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import type { LeasedJob, QueueAdapter } from "../../src/queue/queue-adapter.ts";
import type { QueueOptions } from "../../src/queue/queue-options.ts";
import { QueueWorker } from "../../src/queue/queue-worker.ts";
import { ResilientAdapter } from "../../src/queue/resilient-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { leasedJob } from "./support/leased-job.ts";

type Options = Partial<QueueOptions<object>>;

/** A queue on memory whose jobs record their payloads in starting order. */
function createQueue(options: Options = {}) {
  const clock = new FakeClock();
  const background: Promise<unknown>[] = [];
  const logger = createRecordingLogger();
  const queue = new Queue<Record<string, unknown>>({
    adapter: new MemoryQueueAdapter({ clock }),
    clock,
    logger,
    random: () => 0.5,
    createJobContext: () => ({}),
    background: (work) => void background.push(work),
    ...options,
  });
  const ran: unknown[] = [];
  const waits = (delayMs: number): Promise<void> =>
    new Promise((resolve) => clock.after(delayMs, resolve));
  const running = { now: 0, most: 0 };
  const processWith = (name: string, takesMs: number, concurrency = 10): void =>
    queue.process(
      name,
      async (job) => {
        ran.push(job.payload);
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await waits(takesMs);
        running.now -= 1;
      },
      { concurrency },
    );
  return { queue, clock, background, lines: logger.lines, ran, running, waits, processWith };
}

/** A job as delivered by an engine. */
function leased(clock: FakeClock, name: string, id: string): LeasedJob {
  return leasedJob({ id, name, payload: id, enqueuedAt: clock.now(), dueAt: clock.now() });
}

describe("an idle queue sets no timer", () => {
  it("when it has been stopped and something is enqueued", async () => {
    const { queue, clock, background, ran, processWith } = createQueue();
    processWith("x", 0);
    await queue.stop();
    await queue.enqueue("x", 1);
    expect(clock.pendingTimers).toBe(0);
    // For enqueueing.
    expect(background).toHaveLength(1);
    await queue.start();
    await clock.advance(1);
    expect(ran).toEqual([1]);
  });

  it("when another handler is registered after those of waiting jobs", async () => {
    const { queue, clock, ran, processWith } = createQueue();
    await queue.enqueue("x", 1);
    processWith("x", 0);
    await clock.advanceUntilIdle();
    expect(ran).toEqual([1]);
    processWith("y", 0);
    expect(clock.pendingTimers).toBe(0);
  });

  it("when no failed job has the id to retry", async () => {
    const { queue, clock, processWith } = createQueue();
    processWith("x", 0);
    expect(await queue.retryFailed("unknown")).toBe(false);
    expect(clock.pendingTimers).toBe(0);
  });

  it("while a drain waits for a job", async () => {
    const { queue, clock, processWith } = createQueue({
      adapter: quietly(new MemoryQueueAdapter()),
    });
    processWith("x", 100_000);
    const drained = queue.drain();
    await clock.advance(0);
    // The job's delay, and its deadline.
    expect(clock.pendingTimers).toBe(2);
    await clock.advanceUntilIdle();
    expect(await drained).toBe(1);
  });
});

/** An adapter with one job named "x", for the first pull. */
function quietly(adapter: MemoryQueueAdapter): QueueAdapter {
  const jobs = [leased(new FakeClock(), "x", "only")];
  return Object.assign(adapter, {
    pull: async () => jobs.splice(0),
    nextDueAt: () => undefined,
    ack: async () => true,
  });
}

describe("a drain", () => {
  it("does not wait for jobs due later", async () => {
    const { queue, clock, ran, processWith } = createQueue();
    processWith("x", 0);
    await queue.enqueue("x", "later", { delayMs: 60_000 });
    await clock.advance(1);
    let attempts: number | undefined;
    void queue.drain().then((count) => {
      attempts = count;
    });
    await clock.advance(0);
    expect(attempts).toBe(0);
    expect(ran).toEqual([]);
  });

  it("runs jobs after many without a handler, and keeps those", async () => {
    const { queue, clock, background, ran, processWith } = createQueue();
    processWith("x", 0);
    await queue.stop();
    for (let count = 0; count < 25; count += 1) {
      await queue.enqueue("unknown", count, { maxAttempts: 1 });
    }
    await queue.enqueue("x", "behind");
    await queue.start();
    await Promise.all([clock.advance(1), ...background]);
    const attempts = await queue.drain();
    expect(ran).toEqual(["behind"]);
    expect(attempts).toBe(0);
    expect(await queue.size()).toBe(25);
  });
});

describe("enqueued jobs are not forgotten", () => {
  it("if enqueued at any point of a background run's end", async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const { queue, clock, ran, processWith } = createQueue({
        onCompleted: (job) => void (job.id === "first" && enqueueLater()),
      });
      const enqueueLater = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await null;
        await queue.enqueue("x", "second");
      };
      processWith("x", 0);
      await queue.enqueue("x", "first", { id: "first" });
      await clock.advanceUntilIdle();
      expect(ran, `${turns} turns later`).toEqual(["first", "second"]);
    }
  });

  it("if its name has no capacity because of a retried job", async () => {
    const { queue, clock, waits, ran, processWith } = createQueue();
    queue.process(
      "narrow",
      async (job) => {
        ran.push([job.payload, job.attempt]);
        await waits(10);
        if (job.attempt === 1) throw new Error("again");
      },
      { concurrency: 1 },
    );
    processWith("wide", 0);
    await queue.enqueue("narrow", "a");
    await queue.enqueue("narrow", "b");
    await clock.advance(30);
    expect(ran).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    await clock.advanceUntilIdle();
    expect(ran).toHaveLength(4);
    expect(await queue.size()).toBe(0);
  });

  it("if a background run has been silent for 20 seconds", async () => {
    const { queue, clock, ran, processWith } = createQueue();
    processWith("x", 0);
    const { after } = clock;
    // As on Workers, where timers end with their request.
    Object.assign(clock, { after: () => () => {} });
    await queue.enqueue("x", 1);
    Object.assign(clock, { after });
    await clock.advance(19_999);
    await queue.enqueue("x", 2);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(1);
    await queue.enqueue("x", 3);
    await clock.advance(1);
    expect(ran).toEqual([1, 2, 3]);
  });

  it("and not delayed, whatever else is due before and after", async () => {
    const clock = new FakeClock();
    const { queue, ran } = createQueue({
      clock,
      adapter: blind(new MemoryQueueAdapter({ clock })),
    });
    const start = clock.now();
    queue.process("x", (job) => void ran.push([job.payload, clock.now() - start]));
    for (const delayMs of [300, 500, 900, 100, 700]) await queue.enqueue("x", delayMs, { delayMs });
    await clock.advance(1_000);
    expect(ran).toEqual([100, 300, 500, 700, 900].map((delayMs) => [delayMs, delayMs]));
  });
});

/** An adapter that cannot report due times. */
function blind(memory: MemoryQueueAdapter): QueueAdapter {
  return {
    push: (jobs) => memory.push(jobs),
    pull: (request) => memory.pull(request),
    ack: (id, lease) => memory.ack(id, lease),
    retry: (id, lease, atMs) => memory.retry(id, lease, atMs),
    dead: (id, lease, error) => memory.dead(id, lease, error),
  };
}

it("only enqueued work keeps the process alive, not other timers", async () => {
  const { queue, clock, processWith } = createQueue();
  const kept: [number, boolean][] = [];
  const after = clock.after.bind(clock);
  Object.assign(clock, {
    after(delayMs: number, callback: () => void, keepsAlive = false) {
      kept.push([delayMs, keepsAlive]);
      return after(delayMs, callback);
    },
  });
  processWith("x", 50);
  await queue.enqueue("x", 1);
  await clock.advanceUntilIdle();
  const deadlines = [1000, 5000];
  const others = kept.filter(([delayMs]) => !deadlines.includes(delayMs));
  expect(others.filter(([, keepsAlive]) => keepsAlive)).toEqual([[0, true]]);
  // A deadline is cleared as soon as the adapter has responded.
  expect(clock.pendingTimers).toBe(0);
});

describe("jobs that an engine delivers", () => {
  it("run at most at the queue's concurrency, whatever their names", async () => {
    const { queue, clock, ran, running, processWith } = createQueue({ concurrency: 2 });
    for (const name of ["a", "b", "c"]) processWith(name, 100);
    for (const name of ["a", "b", "c"]) void queue.run(leased(clock, name, name));
    await clock.advance(50);
    expect(ran).toEqual(["a", "b"]);
    await clock.advance(50);
    // As soon as there is capacity, without waiting for the next poll.
    expect(ran).toEqual(["a", "b", "c"]);
    await clock.advance(100);
    expect(running).toEqual({ now: 0, most: 2 });
    expect(clock.pendingTimers).toBe(0);
  });

  it("do not report an error without one", async () => {
    const { queue, clock, lines, processWith } = createQueue();
    processWith("x", 0);
    // Not known to the adapter, so that its lease is outdated.
    const running = queue.run(leased(clock, "x", "one"));
    await clock.advance(0);
    await running;
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: "warn", job: "x", jobId: "one", attempt: 1 });
    expect(Object.keys(lines[0] ?? {})).not.toContain("error");
  });
});

it("failures have distinct codes", async () => {
  const { queue, clock, lines } = createQueue({ leaseMs: 1_000 });
  queue.process("stuck", () => new Promise(() => {}), { timeoutMs: 5 });
  queue.process("asks", (job) => job.retry());
  for (const name of ["stuck", "asks"]) await queue.enqueue(name, 1, { maxAttempts: 1 });
  await clock.advance(10);
  const cutOff = { ...leased(clock, "asks", "cut off"), attempt: 2, maxAttempts: 1 };
  const adapter = { dead: async () => true };
  Object.assign(queue.adapter, adapter);
  await queue.run(cutOff);
  const codes = lines.map(({ job, error }) => [job, (error as { code: unknown }).code]);
  expect(codes.toSorted()).toEqual([
    ["asks", "ERR_QUEUE_JOB_CUT_OFF"],
    ["asks", "ERR_QUEUE_RETRY_ASKED"],
    ["stuck", "ERR_QUEUE_JOB_TIMEOUT"],
  ]);
});

it("finished work is released", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const clock = new FakeClock();
  const adapter = new MemoryQueueAdapter({ clock });
  const definition = { handler: () => {}, concurrency: 1, timeoutMs: 1_000 };
  const store = new ResilientAdapter(adapter, { name: "queue", clock }, () => {});
  const worker = new QueueWorker(
    { adapter, createJobContext: () => ({}) },
    { store: () => store, definitions: new Map([["x", definition]]), clock },
  );
  const limits = { max: 1, endsAt: clock.now() + 1_000, waits: false };
  const pumped = await (async () => {
    const work = worker.consume(limits);
    await work;
    return new WeakRef(work);
  })();
  await clock.advance(0);
  collectGarbage();
  expect(pumped.deref()).toBeUndefined();
  await worker.stop();
});
