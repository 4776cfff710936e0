import { describe, expect, test, vi } from "vitest";
import { Queue } from "../../src/queue/queue.ts";
import type { PullRequest } from "../../src/queue/queue-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createFaultyAdapter } from "../support/faulty-queue-adapter.ts";
import { FaultyStore, lateMs, type StoreFault } from "../support/faulty-store.ts";
import { countPending } from "../support/pull-jobs.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** A started worker over an adapter that may fail. */
async function startWorker() {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const store = new FaultyStore((done) => void clock.after(lateMs, done));
  const adapter = createFaultyAdapter(store, clock);
  const options = { adapter, clock, logger, random: () => 0.5 };
  const queue = new Queue<Record<string, unknown>>({ ...options, createJobContext: () => ({}) });
  const runs: { payload: unknown; attempt: number; atMs: number }[] = [];
  const start = clock.now();
  queue.process("x", ({ payload, attempt }) => {
    runs.push({ payload, attempt, atMs: clock.now() - start });
  });
  await queue.start();
  await clock.advance(1);
  /** Stores a job as another process would. */
  const enqueueElsewhere = (payload: unknown): Promise<void> =>
    adapter.memory.push([
      {
        keepIdMs: 0,
        id: String(payload),
        name: "x",
        payload,
        attempt: 0,
        maxAttempts: 3,
        priority: 0,
        enqueuedAt: clock.now(),
        dueAt: clock.now(),
        backoff: {},
      },
    ]);
  return { clock, logger, store, adapter, queue, runs, enqueueElsewhere };
}

const faults: readonly StoreFault[] = ["refuses", "never answers", "answers garbage"];

describe("a worker whose queue fails", () => {
  test.each(faults)("one that %s is polled ever less often", async (fault) => {
    const { clock, store } = await startWorker();
    store.fault = fault;
    await clock.advance(60_000);
    const before = store.operations;
    await clock.advance(60_000);
    // At most one call in 10 s, plus the time of a call that is not answered.
    expect(store.operations - before).toBeGreaterThanOrEqual(4);
    expect(store.operations - before).toBeLessThanOrEqual(7);
  });

  test.each(faults)("one that %s and comes back is read within 10 s", async (fault) => {
    const { clock, store, runs, enqueueElsewhere } = await startWorker();
    store.fault = fault;
    await clock.advance(120_000);
    store.fault = undefined;
    await enqueueElsewhere("waiting");
    await clock.advance(5000 + 10_000);
    expect(runs.map(({ payload }) => payload)).toEqual(["waiting"]);
  });

  test.each(faults)(
    "one that %s is logged: its failures, and that it is unavailable",
    async (fault) => {
      const { clock, store, logger } = await startWorker();
      store.fault = fault;
      await clock.advance(120_000);
      const levels = logger.lines.map(({ level }) => level);
      expect(levels).toEqual(["warn", "warn", "warn", "warn", "warn", "error"]);
      expect(logger.lines.at(-1)).toMatchObject({
        message:
          'The queue "faulty" is unavailable: its calls fail at once from now on. ' +
          "One call is tried every 2000 ms.",
      });
    },
  );

  test("jobs that arrive after the deadline of their pull run at once, and once", async () => {
    const { clock, store, runs, enqueueElsewhere } = await startWorker();
    await enqueueElsewhere("late");
    store.fault = "answers late";
    await clock.advance(1000);
    store.fault = undefined;
    await clock.advance(lateMs);
    expect(runs).toMatchObject([{ payload: "late", attempt: 1 }]);
    await clock.advance(120_000);
    expect(runs).toHaveLength(1);
  });

  test("jobs that arrive so late that their lease would end first are given back", async () => {
    const { clock, adapter, runs, enqueueElsewhere } = await startWorker();
    const { pull, release } = adapter;
    const released: string[] = [];
    Object.assign(adapter, {
      release: (id: string, lease: string) => {
        released.push(id);
        return release?.(id, lease);
      },
      pull: async (request: PullRequest) => {
        Object.assign(adapter, { pull });
        const jobs = await adapter.memory.pull(request);
        await new Promise<void>((resolve) => clock.after(20_000, resolve));
        return jobs;
      },
    });
    await enqueueElsewhere("late");
    await clock.advance(30_000);
    // The lease takes 45 s, and the handler may take 30 s.
    expect(released).toEqual(["late"]);
    expect(runs).toMatchObject([{ payload: "late", attempt: 1 }]);
  });

  test("the result of a job is stored when the queue is back, and the job runs once", async () => {
    const { clock, store, adapter, runs, enqueueElsewhere, logger } = await startWorker();
    const ack = adapter.ack.bind(adapter);
    let refusals = 3;
    adapter.ack = async (id, lease) => {
      if (refusals-- > 0) throw new Error("READONLY You can't write against a read only replica.");
      return await ack(id, lease);
    };
    await enqueueElsewhere("once");
    await clock.advance(60_000);
    expect(runs).toHaveLength(1);
    expect(await countPending(adapter.memory)).toBe(0);
    expect(store.fault).toBeUndefined();
    expect(logger.lines.every(({ level }) => level !== "error")).toBe(true);
  });

  test("a job whose end cannot be stored for longer than its lease runs once, and does not fail", async () => {
    const { clock, adapter, runs, enqueueElsewhere } = await startWorker();
    const ack = adapter.ack.bind(adapter);
    adapter.ack = () => Promise.reject(new Error("READONLY"));
    await enqueueElsewhere("once");
    await clock.advance(4 * 60_000);
    expect(await countPending(adapter.memory)).toBe(1);
    adapter.ack = ack;
    await clock.advance(60_000);
    expect(runs).toHaveLength(1);
    expect(await countPending(adapter.memory)).toBe(0);
    expect(await adapter.memory.failed(10)).toEqual([]);
  });

  test("a new job with the id of one whose end was not stored runs", async () => {
    const { clock, adapter, runs, enqueueElsewhere } = await startWorker();
    const ack = adapter.ack.bind(adapter);
    adapter.ack = async (id, lease) => {
      await ack(id, lease);
      throw new Error("socket hang up");
    };
    await enqueueElsewhere("same");
    await clock.advance(60_000);
    adapter.ack = ack;
    await enqueueElsewhere("same");
    await clock.advance(10_000);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test("a result that was stored although the call failed is not reported as too late", async () => {
    const { clock, adapter, enqueueElsewhere, logger } = await startWorker();
    const ack = adapter.ack.bind(adapter);
    let answers = false;
    adapter.ack = async (id, lease) => {
      const isStored = await ack(id, lease);
      if (answers) return isStored;
      answers = true;
      throw new Error("socket hang up");
    };
    await enqueueElsewhere("once");
    await clock.advance(10_000);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'A call of the queue "faulty" failed.',
    ]);
  });

  test("stopping continues if the adapter cannot be closed", async () => {
    const { clock, adapter, queue, logger } = await startWorker();
    Object.assign(adapter, { close: () => new Promise(() => {}) });
    let isStopped = false;
    void queue.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(5000);
    expect(isStopped).toBe(true);
    expect(logger.lines).toMatchObject([
      { level: "warn", message: 'A call of the queue "faulty" failed.' },
    ]);
  });

  test("an adapter whose last calls have failed is closed all the same", async () => {
    const { clock, adapter, store, queue } = await startWorker();
    const close = vi.fn();
    Object.assign(adapter, { close });
    store.fault = "refuses";
    for (let call = 0; call < 5; call += 1) await queue.enqueue("x", call).catch(() => {});
    await expect(queue.enqueue("x", 6)).rejects.toMatchObject({ code: "ERR_STORE_UNAVAILABLE" });
    const stopping = queue.stop();
    await clock.advance(5000);
    await stopping;
    expect(close).toHaveBeenCalledOnce();
  });
});
