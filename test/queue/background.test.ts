import { describe, expect, it } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import type { LeasedJob, QueueAdapter } from "../../src/queue/queue-adapter.ts";
import type { QueueOptions } from "../../src/queue/queue-options.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { leasedJob } from "./support/leased-job.ts";

interface Pull {
  readonly at: number;
  readonly max: number;
  readonly leaseMs: number;
  readonly room: Readonly<Record<string, number>>;
}

/** A queue on memory that records the adapter's calls; with `blind` the adapter cannot report due times. */
function createQueue(options: Partial<QueueOptions<object>> & { readonly blind?: boolean } = {}) {
  const clock = new FakeClock();
  const memory = new MemoryQueueAdapter({ clock });
  const start = clock.now();
  const pulls: Pull[] = [];
  const adapter: QueueAdapter = {
    push: (jobs) => memory.push(jobs),
    pull(request) {
      const { max, names, leaseMs } = request;
      const [first = ""] = names.keys();
      const room = Object.fromEntries(names);
      pulls.push({ at: clock.now() - start, max, leaseMs: leaseMs(first), room });
      return memory.pull(request);
    },
    ack: (id, lease) => memory.ack(id, lease),
    retry: (id, lease, atMs) => memory.retry(id, lease, atMs),
    dead: (id, lease, error) => memory.dead(id, lease, error),
    ...(options.blind === true ? {} : { nextDueAt: () => memory.nextDueAt() }),
  };
  const logger = createRecordingLogger();
  const background: Promise<unknown>[] = [];
  const queue = new Queue<Record<string, unknown>>({
    adapter,
    clock,
    logger,
    random: () => 0.5,
    createJobContext: () => ({}),
    background: (work) => void background.push(work),
    ...options,
  });
  const waits = (delayMs: number): Promise<void> =>
    new Promise((resolve) => clock.after(delayMs, resolve));
  return { queue, clock, adapter, pulls, lines: logger.lines, background, waits };
}

describe("a lease", () => {
  it.each([
    [{}, {}, 45_000],
    [{}, { timeoutMs: 10 }, 15_010],
    [{}, { timeoutMs: 60_000 }, 75_000],
    [{ leaseMs: 500 }, { timeoutMs: 60_000 }, 500],
  ])(
    "is longer than the job's handler may take: %j %j",
    async (options, processOptions, leaseMs) => {
      const { queue, clock, pulls } = createQueue(options);
      queue.process("x", () => {}, processOptions);
      await queue.enqueue("x", null);
      await clock.advance(1);
      expect(pulls[0]?.leaseMs).toBe(leaseMs);
    },
  );
});

describe("pulls from an adapter", () => {
  it("request as many jobs as names and queue have capacity for", async () => {
    const { queue, clock, pulls, waits } = createQueue({ concurrency: 12 });
    queue.process("a", () => waits(1_000), { concurrency: 2 });
    queue.process("b", () => {});
    await queue.enqueue("a", 1);
    await clock.advance(1);
    await queue.enqueue("b", 1);
    await clock.advance(1);
    expect(pulls.map(({ max, room }) => [max, room])).toEqual([
      [12, { a: 2, b: 10 }],
      [11, { a: 1, b: 10 }],
    ]);
  });

  it("request 50 jobs of all names by default", async () => {
    const { queue, clock, pulls } = createQueue();
    for (let name = 0; name < 6; name += 1) queue.process(`n${name}`, () => {});
    await queue.enqueue("n0", 1);
    await clock.advance(1);
    expect(pulls[0]?.max).toBe(50);
  });

  it("repeat after a second if the adapter cannot report due times, while the queue is started", async () => {
    const { queue, clock, pulls } = createQueue({ blind: true });
    queue.process("x", () => {});
    await queue.start();
    await clock.advance(2_500);
    expect(pulls.map(({ at }) => at)).toEqual([0, 1_000, 2_000]);
    await queue.stop();
    await clock.advance(5_000);
    expect(pulls).toHaveLength(3);
    expect(clock.pendingTimers).toBe(0);
  });

  it("polls at the configured interval", async () => {
    const { queue, clock, pulls } = createQueue({ blind: true, pollMs: 200 });
    queue.process("x", () => {});
    await queue.start();
    await clock.advance(450);
    expect(pulls.map(({ at }) => at)).toEqual([0, 200, 400]);
    await queue.stop();
  });

  it("are scheduled for delayed jobs of this process, up to an hour ahead", async () => {
    const { queue, clock, pulls } = createQueue({ blind: true });
    const ran: unknown[] = [];
    queue.process("x", (job) => void ran.push(job.payload));
    const hour = 3_600_000;
    await queue.enqueue("x", "later", { delayMs: hour + 1 });
    await queue.enqueue("x", "in an hour", { delayMs: hour });
    await queue.enqueue("x", "soon", { delayMs: 700 });
    await clock.advance(699);
    expect(ran).toEqual([]);
    await clock.advance(1);
    expect(ran).toEqual(["soon"]);
    await clock.advance(hour);
    expect(ran).toEqual(["soon", "in an hour"]);
    expect(pulls.map(({ at }) => at)).toEqual([0, 700, hour]);
    expect(clock.pendingTimers).toBe(0);
    expect(await queue.drain()).toBe(1);
  });

  it("do not loop if the adapter announces jobs that it does not deliver", async () => {
    const { queue, clock, adapter } = createQueue();
    let pulls = 0;
    Object.assign(adapter, {
      pull: async () => {
        pulls += 1;
        return [];
      },
      nextDueAt: () => clock.now() - 5,
    });
    queue.process("x", () => {});
    await queue.start();
    await clock.advance(20);
    expect(pulls).toBeGreaterThan(5);
    expect(pulls).toBeLessThanOrEqual(21);
    await queue.stop();
  });
});

describe("an adapter that delivers", () => {
  it("is subscribed to once, runs delivered jobs, and again after a stop", async () => {
    const { queue, clock, adapter } = createQueue();
    const ran: unknown[] = [];
    const listening: ((job: LeasedJob) => Promise<void>)[] = [];
    Object.assign(adapter, {
      pull: async () => [],
      nextDueAt: () => undefined,
      listen: async (run: (job: LeasedJob) => Promise<void>) => void listening.push(run),
    });
    queue.process("x", (job) => void ran.push(job.payload));
    await queue.start();
    await queue.start();
    expect(listening).toHaveLength(1);
    const times = { enqueuedAt: clock.now(), dueAt: clock.now() };
    await listening[0]?.(leasedJob({ name: "x", payload: 5, ...times }));
    expect(ran).toEqual([5]);
    await queue.stop();
    await queue.start();
    expect(listening).toHaveLength(2);
    await queue.stop();
  });

  it("is supplemented by spaced drains if there are handlers", async () => {
    const { queue, clock } = createQueue();
    expect(queue.drainSometimes({ everyMs: 100 })).toBeUndefined();
    queue.process("x", () => {});
    expect(await queue.drainSometimes({ everyMs: 100 })).toBe(0);
    await clock.advance(99);
    expect(queue.drainSometimes({ everyMs: 100 })).toBeUndefined();
    await clock.advance(1);
    expect(await queue.drainSometimes({ everyMs: 100 })).toBe(0);
  });
});

describe("a run in the background", () => {
  it("is the only one, for as long as a job takes", async () => {
    const { queue, clock, background, waits } = createQueue();
    queue.process("x", () => waits(60_000), { timeoutMs: 120_000 });
    await queue.enqueue("x", 1);
    await clock.advance(55_000);
    await queue.enqueue("x", 2);
    await clock.advance(1);
    // Two for enqueueing, and one for running.
    expect(background).toHaveLength(3);
    await clock.advanceUntilIdle();
    await Promise.all(background);
    expect(await queue.size()).toBeUndefined();
  });

  it("runs for the configured time, and leaves the remaining jobs to the next run", async () => {
    const { queue, clock, waits } = createQueue({ backgroundMs: 250 });
    const ran: unknown[] = [];
    queue.process(
      "x",
      async (job) => {
        ran.push(job.payload);
        await waits(100);
      },
      { concurrency: 1 },
    );
    for (let n = 0; n < 5; n += 1) await queue.enqueue("x", n);
    await clock.advance(2_000);
    expect(ran).toEqual([0, 1, 2]);
    await queue.enqueue("x", 5);
    await clock.advance(2_000);
    expect(ran).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe("the log", () => {
  it("reports each failure, with the job and the error", async () => {
    const { queue, clock, lines } = createQueue();
    queue.process("x", () => {
      throw new TypeError("boom");
    });
    await queue.enqueue("x", null, { id: "one", maxAttempts: 2 });
    await clock.advanceUntilIdle();
    expect(lines).toMatchObject([
      {
        level: "warn",
        message: 'The job "x" failed and will be tried again.',
        job: "x",
        jobId: "one",
        attempt: 1,
        error: { name: "TypeError", message: "boom" },
      },
      {
        level: "error",
        message: 'The job "x" failed and will not be tried again.',
        job: "x",
        jobId: "one",
        attempt: 2,
        error: { message: "boom" },
      },
    ]);
  });

  it.each([
    ["done", () => {}, {}],
    ["retried", () => Promise.reject(new Error("x")), {}],
    ["dead", () => Promise.reject(new Error("x")), { maxAttempts: 1 }],
  ])("reports a result after the lease: %s", async (_title, outcome, options) => {
    const { queue, clock, lines, waits } = createQueue({ leaseMs: 1_000 });
    let attempts = 0;
    queue.process("x", async () => {
      attempts += 1;
      if (attempts > 1) return;
      await waits(2_000);
      await outcome();
    });
    await queue.enqueue("x", null, { id: "one", ...options });
    await clock.advance(1_500);
    // Delivers it again.
    await queue.drain({ budgetMs: 1 });
    await clock.advance(1_000);
    expect(
      lines.filter(({ message }) => String(message).includes("after its lease")),
    ).toMatchObject([
      {
        level: "warn",
        message: 'The job "x" ended after its lease; its result is ignored.',
        job: "x",
        jobId: "one",
        attempt: 1,
      },
    ]);
  });

  it("reports a result that could not be stored before the lease ended", async () => {
    const { queue, clock, lines, adapter } = createQueue();
    queue.process("x", () => {}, { timeoutMs: 10 });
    Object.assign(adapter, { ack: () => Promise.reject(new Error("away")) });
    await queue.enqueue("x", null, { id: "one" });
    await clock.advance(15_010);
    const reported = lines.filter(({ jobId }) => jobId === "one");
    expect(reported).toMatchObject([
      {
        level: "error",
        message: 'The result of the job "x" could not be stored; it will be delivered again.',
        error: { name: "StoreError" },
      },
    ]);
  });

  it("stores a result as soon as the adapter recovers", async () => {
    const { queue, clock, lines, adapter } = createQueue();
    let runs = 0;
    queue.process("x", () => {
      runs += 1;
    });
    const ack = adapter.ack;
    Object.assign(adapter, { ack: () => Promise.reject(new Error("away")) });
    await queue.enqueue("x", null, { id: "one" });
    await clock.advance(3000);
    Object.assign(adapter, { ack });
    await clock.advanceUntilIdle();
    expect(runs).toBe(1);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("reports a queue that could not be read", async () => {
    const { queue, lines, adapter } = createQueue();
    queue.process("x", () => {});
    Object.assign(adapter, { pull: () => Promise.reject(new Error("gone")) });
    expect(await queue.drain()).toBe(0);
    expect(lines).toMatchObject([
      {
        level: "warn",
        message: 'A call of the queue "custom" failed.',
        error: { code: "ERR_STORE_FAILED", cause: { message: "gone" } },
      },
    ]);
  });
});

describe("failure messages", () => {
  it("describe the problem and the fix", async () => {
    const { queue, clock, lines } = createQueue();
    queue.process("stuck", () => new Promise(() => {}), { timeoutMs: 5 });
    queue.process("asks", (job) => job.retry());
    queue.process("wrong", (job) => job.retry(-1));
    for (const name of ["stuck", "asks", "wrong"]) {
      await queue.enqueue(name, null, { id: `id-${name}`, maxAttempts: 1 });
    }
    await clock.advance(10);
    const texts = lines.map(({ error }) => (error as { message: string }).message);
    expect(texts.toSorted()).toEqual(
      [
        'The job "stuck" (id "id-stuck") did not finish within 5 ms. ' +
          "Raise the timeoutMs of its handler, or split the job.",
        'The handler of the job "asks" (id "id-asks") requested another attempt with job.retry().',
        "The delay of job.retry must be a number of milliseconds from 0 to 1000000000000, got -1.",
      ].toSorted(),
    );
  });
});
