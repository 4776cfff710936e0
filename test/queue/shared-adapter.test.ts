import { Application, MemoryQueueAdapter, type QueueAdapter } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { Queue } from "../../src/queue/queue.ts";
import type { LeasedJob, ListenRequest } from "../../src/queue/queue-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const running: Application[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
});

/** Starts an application that counts its runs of one job. */
async function startApp(adapter: QueueAdapter, name: string) {
  const logger = createRecordingLogger();
  const app = new Application({ logger, queue: { pollMs: 20 } });
  running.push(app);
  app.useQueue(adapter);
  const attempts: number[] = [];
  app.getQueue().process(name, (job) => void attempts.push(job.attempt));
  await app.boot();
  await app.getQueue().start();
  return { app, attempts, logger };
}

/** A view of a shared adapter as another process has it: without due times, and with a `close` of its own. */
function sharedView(memory: MemoryQueueAdapter, changes: Partial<QueueAdapter> = {}): QueueAdapter {
  return {
    push: (jobs) => memory.push(jobs),
    pull: (request) => memory.pull(request),
    ack: (id, lease) => memory.ack(id, lease),
    retry: (id, lease, atMs) => memory.retry(id, lease, atMs),
    release: (id, lease) => memory.release(id, lease),
    dead: (id, lease, error) => memory.dead(id, lease, error),
    ...changes,
  };
}

describe("two applications over one adapter, with different handlers", () => {
  test("run each their own jobs, with all attempts left to the other", async () => {
    const memory = new MemoryQueueAdapter();
    const a = await startApp(sharedView(memory), "a");
    const b = await startApp(sharedView(memory), "b");
    const jobs = Array.from({ length: 20 }, (_, at) => ({
      name: at % 2 === 0 ? "a" : "b",
      payload: at,
      maxAttempts: 1,
    }));
    await a.app.getQueue().enqueueMany(jobs);
    await expect.poll(() => a.attempts.length + b.attempts.length).toBe(20);
    expect(a.attempts).toEqual(Array(10).fill(1));
    expect(b.attempts).toEqual(Array(10).fill(1));
    expect(await memory.failed(10)).toEqual([]);
  });

  test("give back jobs of an adapter that ignores the requested names", async () => {
    const memory = new MemoryQueueAdapter();
    const both = new Map([
      ["a", 50],
      ["b", 50],
    ]);
    const careless = sharedView(memory, {
      pull: ({ max, leaseMs }) => memory.pull({ max, leaseMs, names: both }),
    });
    const a = await startApp(careless, "a");
    const b = await startApp(careless, "b");
    const names = ["a", "b", "b", "a"];
    await a.app.getQueue().enqueueMany(names.map((name) => ({ name, payload: 1, maxAttempts: 1 })));
    await expect.poll(() => a.attempts.length + b.attempts.length).toBe(4);
    expect([...a.attempts, ...b.attempts]).toEqual([1, 1, 1, 1]);
    expect(await memory.failed(10)).toEqual([]);
  });
});

/** A queue over an adapter that records what it is asked to deliver. */
function createListeningQueue(changes: Partial<QueueAdapter> = {}) {
  const clock = new FakeClock();
  const memory = new MemoryQueueAdapter({ clock });
  const requests: ListenRequest[] = [];
  let deliver: ((job: LeasedJob) => Promise<void>) | undefined;
  const { pull: _pull, ...rest } = sharedView(memory);
  const adapter: QueueAdapter = {
    ...rest,
    async listen(run, request) {
      deliver = run;
      requests.push(request);
    },
    ...changes,
  };
  const queue = new Queue<Record<string, unknown>>({
    adapter,
    clock,
    concurrency: 7,
    createJobContext: () => ({}),
  });
  const deliverAll = async (names: readonly string[]): Promise<void> => {
    const limits = new Map(names.map((name) => [name, 10]));
    const jobs = await memory.pull({ max: 10, names: limits, leaseMs: () => 60_000 });
    await Promise.all(jobs.map((job) => deliver?.(job)));
  };
  return { queue, clock, memory, requests, deliverAll };
}

describe("an adapter that listens", () => {
  test("gets the names and limits at the start, and later ones as they are registered", async () => {
    const { queue, requests } = createListeningQueue();
    queue.process("a", () => {}, { concurrency: 2, timeoutMs: 5000 });
    await queue.start();
    expect(requests).toHaveLength(1);
    expect([...(requests[0]?.names ?? [])]).toEqual([["a", 2]]);
    expect([requests[0]?.concurrency, requests[0]?.leaseMs("a")]).toEqual([7, 20_000]);
    queue.process("b", () => {}, { concurrency: 4 });
    await expect.poll(() => requests.length).toBe(2);
    expect([...(requests[1]?.names ?? [])]).toEqual([["b", 4]]);
    expect(requests[1]?.signal).toBe(requests[0]?.signal);
    await queue.stop();
  });

  test("is stopped before the running jobs are awaited", async () => {
    const { queue, requests, deliverAll } = createListeningQueue();
    const finish = Promise.withResolvers<void>();
    queue.process("a", () => finish.promise);
    await queue.start();
    await queue.enqueue("a", 1);
    const delivered = deliverAll(["a"]);
    await Promise.resolve();
    const stopped = queue.stop();
    expect(requests[0]?.signal.aborted).toBe(true);
    finish.resolve();
    await Promise.all([stopped, delivered]);
    await queue.start();
    expect([requests.length, requests[1]?.signal.aborted]).toEqual([2, false]);
    await queue.stop();
  });

  test("is asked again after a failure", async () => {
    let failures = 1;
    const asked: string[][] = [];
    const { queue } = createListeningQueue({
      async listen(_run, { names }) {
        asked.push([...names.keys()]);
        if (failures-- > 0) throw new Error("connection refused");
      },
    });
    queue.process("a", () => {});
    await expect(queue.start()).rejects.toMatchObject({ code: "ERR_STORE_FAILED" });
    await queue.start();
    expect(asked).toEqual([["a"], ["a"]]);
    await queue.stop();
  });

  test("gets a job back that has no handler here, without an attempt", async () => {
    const { queue, memory, deliverAll } = createListeningQueue();
    queue.process("a", () => {});
    await queue.start();
    await queue.enqueue("b", 1, { id: "foreign", maxAttempts: 1 });
    await deliverAll(["b"]);
    expect(await memory.find("foreign")).toMatchObject({ state: "waiting", attempt: 0 });
    await queue.stop();
  });

  test("is never polled", async () => {
    const { queue, clock } = createListeningQueue();
    queue.process("a", () => {});
    await queue.start();
    await clock.advance(1);
    expect(clock.pendingTimers).toBe(0);
    await queue.stop();
  });
});

describe("an adapter with subscribe", () => {
  function createSubscribed(subscribe: NonNullable<QueueAdapter["subscribe"]>) {
    const clock = new FakeClock();
    const memory = new MemoryQueueAdapter({ clock });
    const adapter = sharedView(memory, { subscribe });
    const queue = new Queue<Record<string, unknown>>({
      adapter,
      clock,
      pollMs: 60_000,
      createJobContext: () => ({}),
    });
    const elsewhere = new Queue<Record<string, unknown>>({
      adapter: memory,
      clock,
      createJobContext: () => ({}),
    });
    return { queue, clock, elsewhere };
  }

  test("is pulled when it wakes the queue, and not after a stop", async () => {
    let wake = (): void => {};
    let subscriptions = 0;
    const { queue, clock, elsewhere } = createSubscribed((wakeUp) => {
      wake = wakeUp;
      subscriptions += 1;
      return () => {
        subscriptions -= 1;
      };
    });
    const ran: unknown[] = [];
    queue.process("a", (job) => void ran.push(job.payload));
    queue.process("b", () => {});
    await queue.start();
    await queue.start();
    await clock.advance(10);
    await elsewhere.enqueue("a", 1);
    await clock.advance(1000);
    expect([ran, subscriptions]).toEqual([[], 1]);
    wake();
    await clock.advance(1);
    expect(ran).toEqual([1]);
    await queue.stop();
    expect(subscriptions).toBe(0);
    await elsewhere.enqueue("a", 2);
    wake();
    await clock.advance(1);
    expect(ran).toEqual([1]);
  });

  test("is unsubscribed from if the queue stops meanwhile", async () => {
    const subscribed = Promise.withResolvers<void>();
    let ended = 0;
    const { queue } = createSubscribed(async () => {
      await subscribed.promise;
      return () => {
        ended += 1;
      };
    });
    queue.process("a", () => {});
    const started = queue.start();
    await queue.stop();
    subscribed.resolve();
    await started;
    expect(ended).toBe(1);
  });
});
