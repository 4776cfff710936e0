import { Application, text, UnrecoverableJobError } from "espalier";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { startWorkerd } from "../support/workerd.ts";

function createApp(): Application {
  return new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
}

test("a job runs in memory, with services, and its completion is emitted", async () => {
  const app = createApp();
  app.instance("greeting", "hello");
  const done: unknown[] = [];
  app.on("queue.completed", (job) => void done.push((job as { name: string }).name));
  const ran = Promise.withResolvers<string>();
  app.getQueue().process("greet", async (job, { app: same, resolve, signal }) => {
    expect([same === app, signal.aborted]).toEqual([true, false]);
    ran.resolve(`${resolve<string>("greeting")} ${String(job.payload)}`);
  });
  expect(app.getQueueDriver()).toBe("memory");
  await app.getQueue().enqueue("greet", "reader");
  expect(await ran.promise).toBe("hello reader");
  await expect.poll(() => done).toEqual(["greet"]);
  await app.stop();
});

test("stop() before boot completes the running job and starts no other", async () => {
  const app = createApp();
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const ran: unknown[] = [];
  app.getQueue().process(
    "slow",
    async ({ payload }) => {
      begun.resolve();
      await end.promise;
      ran.push(payload);
    },
    { concurrency: 1 },
  );
  await app.getQueue().enqueue("slow", 1);
  await app.getQueue().enqueue("slow", 2);
  await begun.promise;
  const stopped = app.stop();
  end.resolve();
  await stopped;
  expect(ran).toEqual([1]);
});

test("a job that keeps failing is failed, listed, emitted and can be retried", async () => {
  const app = createApp();
  const told: unknown[] = [];
  app.on("queue.failed", (job) => void told.push(job));
  let isBroken = true;
  const ran = Promise.withResolvers<void>();
  app.getQueue().process("break", () => {
    if (isBroken) throw new Error("broken");
    ran.resolve();
  });
  const id = await app.getQueue().enqueue("break", {}, { maxAttempts: 1 });
  await expect.poll(() => told).toMatchObject([{ id, name: "break", attempts: 1 }]);
  expect(await app.getQueue().failed()).toMatchObject([{ id, name: "break" }]);
  isBroken = false;
  expect(await app.getQueue().retryFailed(id)).toBe(true);
  await ran.promise;
  await app.stop();
});

test("a job fails at once with an UnrecoverableJobError, and can be discarded", async () => {
  const app = createApp();
  const emitted: unknown[] = [];
  app.on("queue.failed", (job) => void emitted.push(job));
  app.getQueue().process("break", () => {
    throw new UnrecoverableJobError("no such member");
  });
  const id = await app.getQueue().enqueue("break", {});
  await expect.poll(() => emitted).toMatchObject([{ id, attempts: 1, error: "no such member" }]);
  expect(await app.getQueue().discardFailed("unknown")).toBe(false);
  expect(await app.getQueue().discardFailed(id)).toBe(true);
  expect(await app.getQueue().failed()).toEqual([]);
  await app.stop();
});

test("another adapter is custom, and is rejected once jobs are stored", async () => {
  const app = createApp();
  await app.getQueue().enqueue("later", 1, { delayMs: 60_000 });
  expect(() => app.useInMemoryQueue()).toThrow('The queue already uses "memory".');
  await app.stop();
});

test("a server processes its queue from listen to stop", async () => {
  const app = createApp();
  const ran = Promise.withResolvers<void>();
  app.getQueue().process("greet", () => ran.resolve());
  app.getRouter().post("/", async (ctx) => {
    await ctx.app.getQueue().enqueue("greet", {});
    return text("queued", 202);
  });
  const { url } = await app.listen({ port: 0, gracefulSignals: false });
  expect((await fetch(url, { method: "POST" })).status).toBe(202);
  await ran.promise;
  await app.stop();
});

const object = { type: "durable-object", worker: "worker", exportName: "QueueDurableObject" };
const exports = { QueueDurableObject: { type: "durable-object", storage: "sqlite" } };

describe.each([
  [
    "a Durable Object",
    { KV: { type: "kv", id: "KV" }, QUEUE: object },
    "cloudflare-durable-object",
  ],
  ["KV", { KV: { type: "kv", id: "KV" } }, "cloudflare-kv"],
  [
    "Cloudflare Queues",
    { KV: { type: "kv", id: "KV" }, QUEUE: { type: "queue", name: "jobs" } },
    "cloudflare-queues",
  ],
])("on workerd with %s", (_title, env, driver) => {
  let mf: Miniflare;
  beforeAll(async () => {
    const triggers = [{ type: "queue", name: "jobs", maxBatchSize: 5, maxBatchTimeout: 0.1 }];
    mf = await startWorkerd("test/application/support/queue-worker.ts", {
      env,
      worker: { triggers, ...("QUEUE" in env && env.QUEUE === object ? { exports } : {}) },
    });
    await mf.ready;
  });
  afterAll(() => mf.dispose());
  const ask = async (path: string, method = "GET"): Promise<string> =>
    (await mf.dispatchFetch(`http://localhost${path}`, { method })).text();

  test("jobs run, with retries", async () => {
    expect(await ask("/driver")).toBe(`custom ${driver}`);
    for (let n = 0; n < 3; n++) await ask(`/jobs/${n}`, "POST");
    await expect
      .poll(() => ask("/done"), { timeout: 20_000, interval: 300 })
      .toBe('["0 attempt 2","1 attempt 2","2 attempt 2"]');
  });

  test("a cron trigger runs the schedule with its expression, and due jobs", async () => {
    const worker = (await mf.getWorker()) as unknown as {
      scheduled(options: { cron: string }): Promise<{ outcome: string }>;
    };
    expect((await worker.scheduled({ cron: "0 3 * * *" })).outcome).toBe("ok");
    expect(await ask("/swept")).toBe("0 3 * * *");
  });
});

test("the Durable Object of a queue lets its Worker run due jobs, without any request", async () => {
  const env = { KV: { type: "kv", id: "KV" }, QUEUE: object };
  const mf = await startWorkerd("test/application/support/queue-worker.ts", {
    env,
    worker: { exports },
  });
  try {
    for (const path of ["/elsewhere/unknown/9", "/elsewhere/count/0", "/elsewhere/count/1"]) {
      await mf.dispatchFetch(`http://localhost${path}`, { method: "POST" });
    }
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const done = await (await mf.dispatchFetch("http://localhost/done")).text();
    expect(done).toBe('["0 attempt 2","1 attempt 2"]');
    const forged = { method: "POST", headers: { host: "queue.invalid" } };
    expect((await mf.dispatchFetch("http://localhost/run", forged)).status).toBe(404);
  } finally {
    await mf.dispose();
  }
});
