import { describe, expect, it } from "vitest";
import { EspalierError } from "../../src/errors.ts";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import type { FailedJob, PullRequest } from "../../src/queue/queue-adapter.ts";
import type { QueueOptions } from "../../src/queue/queue-options.ts";
import type { CompletedJob } from "../../src/queue/store-result.ts";
import { UnrecoverableJobError } from "../../src/queue/unrecoverable-job-error.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

type Context = { readonly greeting: string };

function createQueue(options: Partial<QueueOptions<Context>> = {}) {
  const clock = new FakeClock();
  const completed: CompletedJob[] = [];
  const dead: FailedJob[] = [];
  const background: Promise<unknown>[] = [];
  const queue = new Queue<Record<string, unknown>, Context>({
    adapter: new MemoryQueueAdapter({ clock }),
    clock,
    createJobContext: () => ({ greeting: "hello" }),
    background: (work) => void background.push(work),
    onCompleted: (job) => void completed.push(job),
    onFailed: (job) => void dead.push(job),
    ...options,
  });
  return { queue, clock, completed, dead, background };
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
    return "resolved";
  } catch (error) {
    return error instanceof EspalierError ? error.code : error;
  }
};

describe("a queue", () => {
  it("runs an enqueued job with its payload, its context and a signal, once", async () => {
    const { queue, clock, completed } = createQueue();
    const runs: unknown[] = [];
    queue.process("mail", async (job, { greeting, signal }) => {
      runs.push({ ...job, retry: undefined, greeting, aborted: signal.aborted });
    });
    const id = await queue.enqueue("mail", { to: "a@example.org" });
    await clock.advanceUntilIdle();
    expect(runs).toEqual([
      {
        id,
        name: "mail",
        payload: { to: "a@example.org" },
        attempt: 1,
        maxAttempts: 3,
        enqueuedAt: Date.UTC(2026, 0, 1),
        greeting: "hello",
        aborted: false,
      },
    ]);
    expect(completed).toEqual([{ id, name: "mail", attempt: 1, durationMs: 0 }]);
    expect(await queue.size()).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ["add", "enqueue"],
    ["push", "enqueue"],
    ["register", "process"],
  ])("rejects %s, a name of other libraries, and suggests %s", (wrong, right) => {
    const { queue } = createQueue();
    // Calls without types.
    const call = (queue as unknown as Record<string, () => unknown>)[wrong];
    expect(call).toThrow(
      expect.objectContaining({
        code: "ERR_QUEUE_UNSUPPORTED",
        message: `A queue has no method "${wrong}". Use ${right}().`,
      }),
    );
  });

  it("starts nothing when it is created, when a handler is registered, or without a handler", async () => {
    const { queue, clock, background } = createQueue();
    expect(clock.pendingTimers).toBe(0);
    await queue.enqueue("late", 1);
    expect(clock.pendingTimers).toBe(0);
    expect(await queue.drain()).toBe(0);
    const runs: unknown[] = [];
    queue.process("late", (job) => void runs.push(job.attempt));
    await clock.advanceUntilIdle();
    expect(runs).toEqual([1]);
    expect((await Promise.all(background)).length).toBe(2);
  });

  it("reports its driver and its name", () => {
    expect(createQueue().queue.driver).toBe("memory");
    expect(createQueue().queue.name).toBe("memory");
    const adapter = { ...stubAdapter(), name: "somewhere" };
    expect(createQueue({ adapter }).queue.driver).toBe("custom");
    expect(createQueue({ adapter }).queue.name).toBe("somewhere");
    expect(createQueue({ adapter: stubAdapter() }).queue.name).toBe("custom");
  });

  it("runs higher priorities first, and equal ones in order", async () => {
    const { queue, clock } = createQueue();
    const runs: unknown[] = [];
    queue.process("p", (job) => void runs.push(job.payload), { concurrency: 1 });
    await queue.enqueue("p", "low", { priority: -1 });
    await queue.enqueue("p", "first");
    await queue.enqueue("p", "second");
    await queue.enqueue("p", "high", { priority: 10 });
    await clock.advanceUntilIdle();
    expect(runs).toEqual(["high", "first", "second", "low"]);
  });

  it("waits for delayMs, to the millisecond", async () => {
    const { queue, clock } = createQueue();
    const runs: number[] = [];
    queue.process("later", () => void runs.push(clock.now()));
    const start = clock.now();
    await queue.enqueue("later", null, { delayMs: 5000 });
    await clock.advance(4999);
    expect(runs).toEqual([]);
    await clock.advance(1);
    expect(runs).toEqual([start + 5000]);
  });

  it("runs at most `concurrency` jobs of a name at once, and others concurrently", async () => {
    const { queue, clock } = createQueue();
    let running = 0;
    let most = 0;
    const others: unknown[] = [];
    const releases: (() => void)[] = [];
    queue.process(
      "slow",
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => releases.push(resolve));
        running -= 1;
      },
      { concurrency: 2 },
    );
    queue.process("other", (job) => void others.push(job.payload));
    for (let index = 0; index < 6; index++) await queue.enqueue("slow", index);
    await queue.enqueue("other", "beside");
    await clock.advance(10);
    expect(running).toBe(2);
    expect(others).toEqual(["beside"]);
    for (let index = 0; index < 6; index++) {
      releases[index]?.();
      await clock.advance(10);
    }
    expect(most).toBe(2);
    expect(releases).toHaveLength(6);
    expect(await queue.size()).toBe(0);
  });

  it("treats equal ids as one job while one is pending, also while it runs", async () => {
    const { queue, clock } = createQueue();
    const runs: unknown[] = [];
    let release = (): void => {};
    queue.process("sync", async (job) => {
      runs.push(job.payload);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    expect(await queue.enqueue("sync", 1, { id: "sync:42" })).toBe("sync:42");
    expect(await queue.enqueue("sync", 2, { id: "sync:42" })).toBe("sync:42");
    await clock.advance(10);
    await queue.enqueue("sync", 3, { id: "sync:42" });
    await clock.advance(10);
    expect(runs).toEqual([1]);
    release();
    await clock.advance(10);
    await queue.enqueue("sync", 4, { id: "sync:42" });
    await clock.advance(10);
    release();
    await clock.advance(10);
    expect(runs).toEqual([1, 4]);
  });

  it("retries after the backoff and fails a job after maxAttempts, beside successful jobs", async () => {
    const { queue, clock, dead } = createQueue({ random: () => 0.5 });
    const attempts: number[] = [];
    let good = 0;
    const start = clock.now();
    queue.process("poison", () => {
      attempts.push(clock.now() - start);
      throw new Error("boom");
    });
    queue.process("good", () => void good++);
    const id = await queue.enqueue("poison", { n: 1 }, { maxAttempts: 4 });
    for (let index = 0; index < 100; index++) await queue.enqueue("good", index);
    await clock.advanceUntilIdle();
    expect(good).toBe(100);
    expect(attempts).toEqual([0, 1000, 3000, 7000]);
    const failed = {
      id,
      name: "poison",
      payload: { n: 1 },
      attempts: 4,
      error: "boom",
      failedAt: start + 7000,
    };
    expect(await queue.failed()).toEqual([failed]);
    expect(dead).toEqual([failed]);
    expect(await queue.size()).toBe(0);
  });

  it("fails a job at once whose handler throws UnrecoverableJobError, and reports its cause", async () => {
    const logger = createRecordingLogger();
    const { queue, clock, dead } = createQueue({ logger });
    let runs = 0;
    queue.process("x", (job) => {
      runs += 1;
      job.retry(1000);
      throw new UnrecoverableJobError("no such member", { cause: new Error("not found") });
    });
    const id = await queue.enqueue("x", 1);
    await clock.advanceUntilIdle();
    expect(runs).toBe(1);
    const error = "no such member";
    const failed = { id, name: "x", payload: 1, attempts: 1, error, failedAt: dead[0]?.failedAt };
    expect(dead).toEqual([failed]);
    expect(await queue.failed()).toEqual([failed]);
    expect(logger.lines).toMatchObject([
      {
        message: 'The job "x" failed and will not be tried again.',
        error: {
          name: "UnrecoverableJobError",
          message: "no such member",
          cause: { message: "not found" },
        },
      },
    ]);
  });

  it("retries a failed job with all its attempts on request", async () => {
    const { queue, clock } = createQueue();
    const attempts: number[] = [];
    let broken = true;
    queue.process("x", (job) => {
      attempts.push(job.attempt);
      if (broken) throw new Error("not yet");
    });
    const id = await queue.enqueue("x", null, { maxAttempts: 2 });
    await clock.advanceUntilIdle();
    broken = false;
    expect(await queue.retryFailed("unknown")).toBe(false);
    expect(await queue.retryFailed(id)).toBe(true);
    await clock.advanceUntilIdle();
    expect(attempts).toEqual([1, 2, 1]);
    expect(await queue.failed()).toEqual([]);
  });

  it("keeps the error of a handler that throws null, a string, or an unreadable value", async () => {
    const { queue, clock } = createQueue();
    const unreadable = {
      toString() {
        throw new Error("no");
      },
    };
    const thrown: unknown[] = [null, "text", undefined, unreadable, new TypeError("")];
    queue.process("t", (job) => {
      throw thrown[job.payload as number];
    });
    for (const index of thrown.keys()) await queue.enqueue("t", index, { maxAttempts: 1 });
    await clock.advanceUntilIdle();
    expect((await queue.failed()).map((job) => job.error)).toEqual([
      "The handler threw null",
      "The handler threw text",
      "The handler threw undefined",
      "The handler threw a value that cannot be read",
      "TypeError",
    ]);
  });

  it("has an aborted signal after the deadline, also if it is read only then", async () => {
    const { queue, clock } = createQueue();
    const reasons: unknown[] = [];
    const late = async (_job: unknown, context: { readonly signal: AbortSignal }) => {
      await new Promise<void>((resolve) => clock.after(150, resolve));
      reasons.push(context.signal.aborted, context.signal.reason);
    };
    queue.process("late", late, { timeoutMs: 100 });
    await queue.enqueue("late", null, { maxAttempts: 1 });
    await clock.advance(200);
    expect(reasons).toEqual([true, expect.objectContaining({ code: "ERR_QUEUE_JOB_TIMEOUT" })]);
  });

  it("times out a handler that never finishes, with an aborted signal", async () => {
    const { queue, clock, dead } = createQueue();
    const signals: AbortSignal[] = [];
    let good = 0;
    queue.process(
      "stuck",
      (_job, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { timeoutMs: 2000 },
    );
    queue.process("good", () => void good++);
    await queue.enqueue("stuck", null, { maxAttempts: 2 });
    for (let index = 0; index < 100; index++) await queue.enqueue("good", index);
    await clock.advance(1);
    expect(good).toBe(100);
    await clock.advance(1998);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(1);
    expect(signals[0]?.aborted).toBe(true);
    await clock.advanceUntilIdle();
    expect(signals).toHaveLength(2);
    expect(dead).toHaveLength(1);
    expect(dead[0]?.error).toMatch(/did not finish within 2000 ms/);
    expect(await queue.size()).toBe(0);
  });

  it("delivers a job again after its lease, and ignores the late result", async () => {
    const clock = new FakeClock();
    // An adapter that cannot renew a lease.
    const adapter = Object.assign(new MemoryQueueAdapter({ clock }), { renew: undefined as never });
    const { queue, completed } = createQueue({ adapter, clock, leaseMs: 1000 });
    const attempts: number[] = [];
    queue.process("slow", async (job) => {
      attempts.push(job.attempt);
      if (job.attempt === 1) await new Promise<void>((resolve) => clock.after(3000, resolve));
    });
    await queue.enqueue("slow", null);
    await clock.advance(1500);
    expect(attempts).toEqual([1]);
    // Any wake-up makes the queue notice the expired lease.
    await queue.drain();
    expect(attempts).toEqual([1, 2]);
    await clock.advanceUntilIdle();
    expect(completed.map((job) => job.attempt)).toEqual([2]);
    expect(await queue.size()).toBe(0);
  });

  it("fails a job whose last attempt started and never finished", async () => {
    const clock = new FakeClock();
    const memory = new MemoryQueueAdapter({ clock });
    const { queue, dead } = createQueue({ adapter: memory, clock });
    let runs = 0;
    await queue.enqueue("crashes", null, { maxAttempts: 2 });
    for (let crash = 0; crash < 2; crash++) {
      expect(await pullJobs(memory, 1, 1000, ["crashes"])).toHaveLength(1);
      await clock.advance(1000);
    }
    queue.process("crashes", () => void runs++);
    await clock.advanceUntilIdle();
    expect(runs).toBe(0);
    expect(dead[0]).toMatchObject({ attempts: 2 });
    expect(dead[0]?.error).toMatch(/started and did not finish/);
  });

  it("keeps a job without a handler in the queue, with all its attempts", async () => {
    const { queue, clock, dead } = createQueue();
    queue.process("mail.send", () => {});
    await queue.enqueue("mail.sent", { kept: true }, { maxAttempts: 1 });
    await clock.advance(60 * 60 * 1000);
    expect(dead).toEqual([]);
    expect(await queue.size()).toBe(1);
    const attempts: number[] = [];
    queue.process("mail.sent", (job) => void attempts.push(job.attempt));
    await clock.advanceUntilIdle();
    expect(attempts).toEqual([1]);
  });

  it("lets a handler choose the time of another attempt", async () => {
    const { queue, clock, dead } = createQueue();
    const start = clock.now();
    const runs: number[] = [];
    queue.process("poll", (job) => {
      runs.push(clock.now() - start);
      job.retry(250);
      if (job.attempt === 2) throw new Error("thrown as well");
    });
    await queue.enqueue("poll", null);
    await clock.advanceUntilIdle();
    expect(runs).toEqual([0, 250, 500]);
    expect(dead[0]?.error).toMatch(/requested another attempt with job.retry()/);
  });

  it("passes the original payload to every attempt", async () => {
    const { queue, clock } = createQueue();
    const seen: unknown[] = [];
    queue.process("m", (job) => {
      const payload = job.payload as { list: number[] };
      seen.push(structuredClone(payload));
      payload.list.push(99);
      if (job.attempt === 1) throw new Error("again");
    });
    const payload = { list: [1] };
    await queue.enqueue("m", payload);
    payload.list.push(2);
    await clock.advanceUntilIdle();
    expect(seen).toEqual([{ list: [1] }, { list: [1] }]);
  });

  it("drains within a number of jobs and within a time", async () => {
    const clock = new FakeClock();
    const memory = new MemoryQueueAdapter({ clock });
    const producer = createQueue({ adapter: memory, clock }).queue;
    for (let index = 0; index < 20; index++) await producer.enqueue("d", index);
    const { queue } = createQueue({ adapter: memory, clock });
    let runs = 0;
    queue.process(
      "d",
      async () => {
        runs += 1;
        await new Promise<void>((resolve) => clock.after(100, resolve));
      },
      { concurrency: 2 },
    );
    const limited = queue.drain({ max: 5 });
    await clock.advance(1000);
    expect([await limited, runs]).toEqual([5, 5]);
    const timed = queue.drain({ budgetMs: 250 });
    await clock.advance(1000);
    // Two at once, begun at 0, 100 and 200 ms.
    expect([await timed, runs]).toEqual([6, 11]);
    expect(queue.drainSometimes({ everyMs: 60_000 })).toBeUndefined();
    await clock.advance(60_000);
    const rest = queue.drainSometimes({ everyMs: 60_000 });
    await clock.advance(1000);
    expect([await rest, runs]).toEqual([9, 20]);
  });

  it("sleeps while a name has no capacity, although its jobs are due", async () => {
    const { queue, clock } = createQueue();
    const releases: (() => void)[] = [];
    queue.process("one", () => new Promise<void>((resolve) => releases.push(resolve)), {
      concurrency: 1,
    });
    for (let index = 0; index < 3; index++) await queue.enqueue("one", index);
    await clock.advance(10);
    const drained = queue.drain();
    await clock.advance(10);
    for (let index = 0; index < 3; index++) {
      expect(releases).toHaveLength(index + 1);
      releases[index]?.();
      await clock.advance(10);
    }
    await drained;
    expect(await queue.size()).toBe(0);
  });

  it("starts another background run if the platform cancelled one", async () => {
    const clock = new FakeClock();
    const memory = new MemoryQueueAdapter({ clock });
    let cutOff = false;
    /** Timers of a cancelled request never fire, and its promises never settle. */
    const dying = {
      now: () => clock.now(),
      after: (delayMs: number, callback: () => void) =>
        cutOff ? clock.after(delayMs, callback) : () => undefined,
    };
    const { queue } = createQueue({ adapter: memory, clock: dying });
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.enqueue("x", 1);
    await clock.advance(19_000);
    cutOff = true;
    await queue.enqueue("x", 2);
    await clock.advance(900);
    expect(runs).toBe(0);
    await clock.advance(1000);
    await queue.enqueue("x", 3);
    await clock.advance(100);
    expect(runs).toBe(3);
  });

  it("stops after the running jobs, and starts again", async () => {
    const { queue, clock } = createQueue();
    const ended: unknown[] = [];
    queue.process(
      "s",
      async (job) => {
        await new Promise<void>((resolve) => clock.after(100, resolve));
        ended.push(job.payload);
      },
      { concurrency: 1 },
    );
    for (let index = 0; index < 3; index++) await queue.enqueue("s", index);
    await clock.advance(50);
    let stopped = false;
    const stop = queue.stop().then(() => {
      stopped = true;
    });
    await clock.advance(10);
    expect(stopped).toBe(false);
    await clock.advance(100);
    await stop;
    expect(ended).toEqual([0]);
    await queue.enqueue("s", 3);
    await clock.advance(1000);
    expect(ended).toEqual([0]);
    expect(clock.pendingTimers).toBe(0);
    await queue.start();
    await clock.advance(1000);
    expect(ended).toEqual([0, 1, 2, 3]);
  });

  it("survives a logger, listeners and an adapter that throw", async () => {
    const clock = new FakeClock();
    const memory = new MemoryQueueAdapter({ clock });
    let failures = 3;
    const adapter = Object.assign(Object.create(memory), {
      push: (jobs: Parameters<MemoryQueueAdapter["push"]>[0]) => memory.push(jobs),
      pull: async (request: PullRequest) => {
        if (failures-- > 0) throw new Error("the store is away");
        return memory.pull(request);
      },
      ack: (id: string, lease: string) => memory.ack(id, lease),
      nextDueAt: undefined,
    });
    const boom = (): never => {
      throw new Error("a listener that throws");
    };
    const logger = { debug: boom, info: boom, warn: boom, error: boom };
    const { queue } = createQueue({ adapter, clock, logger, onCompleted: boom });
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.enqueue("x", null);
    await clock.advanceUntilIdle();
    expect(runs).toBe(1);
    expect(await countPending(memory)).toBe(0);
  });

  it("rejects a second handler for a name, and invalid options", async () => {
    const { queue } = createQueue();
    queue.process("x", () => {});
    expect(() => queue.process("x", () => {})).toThrow(/already/);
    expect(() => queue.process("", () => {})).toThrow(/name of a job/);
    expect(() => queue.process("y", () => {}, { concurrency: 0 })).toThrow(/concurrency/);
    expect(() => queue.process("z", () => {}, { timeoutMs: Number.NaN })).toThrow(/timeoutMs/);
    for (const options of [
      { delayMs: -1 },
      { delayMs: Number.NaN },
      { maxAttempts: 0 },
      { maxAttempts: 1.5 },
      { priority: 0.5 },
      { priority: 2e6 },
      { id: "" },
      { id: "x".repeat(257) },
      { id: "\ud800" },
      { backoff: { delayMs: -1 } },
      { backoff: { type: "linear" as "fixed" } },
    ]) {
      expect(await codeOf(queue.enqueue("x", null, options))).toBe("ERR_QUEUE_BAD_OPTION");
    }
    expect(await queue.size()).toBe(0);
  });

  it("reports an adapter that cannot list, retry or discard failed jobs", async () => {
    const { queue } = createQueue({ adapter: stubAdapter() });
    expect(await codeOf(queue.failed())).toBe("ERR_QUEUE_UNSUPPORTED");
    expect(await codeOf(queue.retryFailed("x"))).toBe("ERR_QUEUE_UNSUPPORTED");
    expect(await codeOf(queue.discardFailed("x"))).toBe("ERR_QUEUE_UNSUPPORTED");
    expect(await queue.size()).toBeUndefined();
  });
});

function stubAdapter() {
  return {
    push: async () => {},
    pull: async () => [],
    ack: async () => true,
    retry: async () => true,
    dead: async () => true,
  };
}
