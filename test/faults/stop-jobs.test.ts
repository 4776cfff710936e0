import { Application, type LeasedJob, MemoryQueueAdapter, type QueueAdapter, text } from "espalier";
import { describe, expect, test } from "vitest";
import { countPending, pullJobs } from "../support/pull-jobs.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const locally = { port: 0, host: "127.0.0.1", gracefulSignals: false } as const;

interface RecordingAdapter extends QueueAdapter {
  readonly memory: MemoryQueueAdapter;
  /** Names of the calls that were made, in order. */
  readonly calls: string[];
}

/** An adapter over memory that records the ends of jobs, its pushes and its close. */
function createRecordingAdapter(): RecordingAdapter {
  const memory = new MemoryQueueAdapter();
  const calls: string[] = [];
  const record = <Result>(call: string, result: Result): Result => {
    calls.push(call);
    return result;
  };
  return {
    memory,
    calls,
    push: (jobs) => record("push", memory.push(jobs)),
    pull: (request) => memory.pull(request),
    ack: (id, lease) => record("ack", memory.ack(id, lease)),
    retry: (id, lease, atMs) => record("retry", memory.retry(id, lease, atMs)),
    release: (id, lease) => record("release", memory.release(id, lease)),
    dead: (id, lease, error) => record("dead", memory.dead(id, lease, error)),
    close: () => record("close", undefined),
  };
}

function createApp(adapter: QueueAdapter) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.useQueue(adapter);
  const started: unknown[] = [];
  const finish = Promise.withResolvers<void>();
  app.getQueue().process(
    "work",
    async (job) => {
      started.push(job.payload);
      await finish.promise;
    },
    { concurrency: 3 },
  );
  return { app, logger, started, finish: finish.resolve };
}

const eight = Array.from({ length: 8 }, (_, number) => number);

describe("once stop() was called no job starts", () => {
  test("of an adapter that delivers: the jobs that wait for a slot are given back", async () => {
    const adapter = createRecordingAdapter();
    let deliver: ((job: LeasedJob) => Promise<void>) | undefined;
    adapter.listen = (run) => {
      deliver = run;
    };
    const { app, started, finish } = createApp({ ...adapter, pull: async () => [] });
    await app.listen(locally);
    for (const number of eight) await app.getQueue().enqueue("work", number);
    const jobs = await pullJobs(adapter.memory, 8, 60_000, ["work"]);
    const delivered = Promise.all(jobs.map((job) => deliver?.(job)));
    await expect.poll(() => started).toHaveLength(3);
    const stopped = app.stop();
    await expect.poll(() => adapter.calls.filter((call) => call === "release")).toHaveLength(5);
    finish();
    await Promise.all([stopped, delivered]);
    expect(started).toHaveLength(3);
    expect(adapter.calls.slice(8)).toEqual([
      ...Array(5).fill("release"),
      ...Array(3).fill("ack"),
      "close",
    ]);
    const left = await pullJobs(adapter.memory, 8, 60_000, ["work"]);
    expect(left.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1]);
  });

  test("of an adapter that is polled: the jobs of a pull in progress are given back", async () => {
    const adapter = createRecordingAdapter();
    const pulling = Promise.withResolvers<void>();
    const pulled = Promise.withResolvers<void>();
    const { app, started } = createApp({
      ...adapter,
      pull: async (request) => {
        const jobs = await adapter.memory.pull(request);
        if (jobs.length > 0) {
          pulling.resolve();
          await pulled.promise;
        }
        return jobs;
      },
    });
    await app.listen(locally);
    for (const number of eight) await app.getQueue().enqueue("work", number);
    await pulling.promise;
    const stopped = app.stop();
    pulled.resolve();
    await stopped;
    expect(started).toEqual([]);
    const left = await pullJobs(adapter.memory, 8, 60_000, ["work"]);
    expect(left.map(({ attempt }) => attempt)).toEqual(Array(8).fill(1));
  });
});

test("a request in progress enqueues while the application stops, before the adapter is closed", async () => {
  const adapter = createRecordingAdapter();
  const { app } = createApp(adapter);
  const arrived = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  app.getRouter().post("/", async (ctx) => {
    arrived.resolve();
    await goOn.promise;
    await ctx.app.getQueue().enqueue("work", "late");
    return text("accepted", 202);
  });
  const { url } = await app.listen(locally);
  const response = fetch(url, { method: "POST" });
  await arrived.promise;
  const stopped = app.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  goOn.resolve();
  expect((await response).status).toBe(202);
  await stopped;
  expect(adapter.calls).toEqual(["push", "close"]);
  expect(await countPending(adapter.memory)).toBe(1);
});

test("a shutdown hook that fails keeps no other from running, and is logged and reported", async () => {
  const adapter = createRecordingAdapter();
  const { app, logger } = createApp(adapter);
  app.registerPlugin({
    name: "broken",
    shutdown: () => {
      throw new Error("out of order");
    },
  });
  await app.boot();
  await app.getQueue().enqueue("work", 1, { delayMs: 60_000 });
  await expect(app.stop()).rejects.toThrow("out of order");
  expect(adapter.calls).toEqual(["push", "close"]);
  const errors = logger.lines.filter(({ level }) => level === "error");
  expect(errors).toMatchObject([{ message: "A shutdown hook failed." }]);
});
