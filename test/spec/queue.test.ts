import type { Application } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { createApp } from "./support.ts";

const running: Application[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
});

function createQueueApp(): Application {
  const app = createApp();
  running.push(app);
  return app;
}

const soon = { backoff: { type: "fixed", delayMs: 1 } } as const;

/** Waits until something is as it should be; the test's own time limit ends what never is. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}

test("Queue, useInMemoryQueue: selects the in-memory queue", async () => {
  const app = createQueueApp();
  app.useInMemoryQueue();
  expect(app.getQueueDriver()).toBe("memory");
  const seen: unknown[] = [];
  app.getQueue().process("greet", (job) => seen.push(job.payload));
  await app.getQueue().enqueue("greet", { name: "Ada" });
  await until(() => seen.length === 1);
  expect(seen).toEqual([{ name: "Ada" }]);
});

test("Queue, useQueue: selects a custom adapter, which receives the jobs", async () => {
  const app = createQueueApp();
  const pushed: { name: string; payload: unknown }[] = [];
  app.useQueue({
    push: async (jobs) => void pushed.push(...jobs),
    pull: async () => [],
    ack: async () => true,
    retry: async () => true,
    dead: async () => true,
  });
  expect(app.getQueueDriver()).toBe("custom");
  await app.getQueue().enqueue("greet", { name: "Ada" });
  expect(pushed).toMatchObject([{ name: "greet", payload: { name: "Ada" } }]);
});

test("Queue, getQueue: the one queue, initialised lazily", async () => {
  const app = createQueueApp();
  expect(app.getQueue()).toBe(app.getQueue());
  // Still to be chosen, because nothing has used it.
  app.useInMemoryQueue();
  await app.getQueue().enqueue("greet", 1);
  expect(() => app.useInMemoryQueue()).toThrow('The queue already uses "memory"');
});

test("Queue, getQueueDriver: does not select a driver", () => {
  const app = createApp();
  expect(app.getQueueDriver()).toBe("memory");
  app.useQueue({
    push: async () => {},
    pull: async () => [],
    ack: async () => true,
    retry: async () => true,
    dead: async () => true,
  });
  expect(app.getQueueDriver()).toBe("custom");
});

test("Queue, getQueueDriver: memory if the platform has no other", () => {
  expect(createQueueApp().getQueueDriver()).toBe("memory");
});

describe("enqueue and process", () => {
  test("Queue, enqueue: returns the job's id; the handler receives the job", async () => {
    const app = createQueueApp();
    const seen: unknown[] = [];
    app.getQueue().process("greet", (job) => {
      const { id, name, payload, attempt, maxAttempts } = job;
      seen.push({ id, name, payload, attempt, maxAttempts });
    });
    const id = await app.getQueue().enqueue("greet", [1]);
    await until(() => seen.length === 1);
    expect(seen).toEqual([{ id, name: "greet", payload: [1], attempt: 1, maxAttempts: 3 }]);
  });

  test("Queue, enqueue: a delayed job waits; higher priorities run first", async () => {
    const app = createQueueApp();
    const queue = app.getQueue();
    const seen: unknown[] = [];
    await queue.enqueue("greet", "low", { priority: 1 });
    await queue.enqueue("greet", "high", { priority: 2 });
    await queue.enqueue("greet", "late", { delayMs: 40, priority: 3 });
    queue.process("greet", (job) => seen.push(job.payload), { concurrency: 1 });
    await until(() => seen.length === 3);
    expect(seen).toEqual(["high", "low", "late"]);
  });

  test("Queue, enqueue: equal ids are one job while one is pending", async () => {
    const app = createQueueApp();
    const queue = app.getQueue();
    const seen: unknown[] = [];
    await queue.enqueue("greet", 1, { id: "same" });
    await queue.enqueue("greet", 2, { id: "same" });
    queue.process("greet", (job) => seen.push(job.payload));
    await until(() => seen.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toEqual([1]);
  });

  test("Queue, enqueue: rejects a payload that is not JSON", async () => {
    const queue = createQueueApp().getQueue();
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const payload of [1n, cyclic, undefined, () => {}]) {
      await expect(queue.enqueue("greet", payload)).rejects.toMatchObject({
        code: "ERR_QUEUE_PAYLOAD_NOT_JSON",
      });
    }
  });

  test("Queue, process: a job that throws is retried, and fails after maxAttempts", async () => {
    const app = createQueueApp();
    const queue = app.getQueue();
    const attempts: number[] = [];
    const failed: unknown[] = [];
    app.on("queue.failed", (payload) => failed.push(payload));
    queue.process("greet", (job) => {
      attempts.push(job.attempt);
      throw new Error("no mail today");
    });
    const id = await queue.enqueue("greet", 1, { maxAttempts: 2, ...soon });
    await until(async () => (await queue.failed()).length === 1);
    expect(attempts).toEqual([1, 2]);
    expect(await queue.failed()).toMatchObject([{ id, name: "greet", payload: 1, attempts: 2 }]);
    expect((await queue.failed())[0]?.error).toContain("no mail today");
    expect(failed).toMatchObject([{ id, name: "greet" }]);
  });

  test("Queue, process: a failed job can be retried, and does not block others", async () => {
    const app = createQueueApp();
    const queue = app.getQueue();
    let isFixed = false;
    const done: unknown[] = [];
    queue.process("greet", (job) => {
      if (job.payload === "poison" && !isFixed) throw null;
      done.push(job.payload);
    });
    const id = await queue.enqueue("greet", "poison", { maxAttempts: 1 });
    for (let index = 0; index < 20; index++) await queue.enqueue("greet", index);
    await until(async () => done.length === 20 && (await queue.failed()).length === 1);
    isFixed = true;
    await queue.retryFailed(id);
    await until(() => done.length === 21);
    expect(done.at(-1)).toBe("poison");
    expect(await queue.failed()).toEqual([]);
  });

  test("Queue, process: job.retry(ms) schedules another attempt", async () => {
    const app = createQueueApp();
    const attempts: number[] = [];
    app.getQueue().process("greet", (job) => {
      attempts.push(job.attempt);
      if (job.attempt === 1) job.retry(5);
    });
    await app.getQueue().enqueue("greet", 1);
    await until(() => attempts.length === 2);
    expect(attempts).toEqual([1, 2]);
  });

  test("Queue, process: a handler receives the application, its services and a signal", async () => {
    const app = createQueueApp();
    app.instance("mailer", "the mailer");
    const seen: unknown[] = [];
    app.getQueue().process("greet", (_job, { app: given, resolve, signal, waitUntil }) => {
      seen.push(given === app, resolve("mailer"), signal.aborted, typeof waitUntil);
    });
    await app.getQueue().enqueue("greet", 1);
    await until(() => seen.length === 4);
    expect(seen).toEqual([true, "the mailer", false, "function"]);
  });

  test("Queue, stop: the running job finishes", async () => {
    const app = createQueueApp();
    const trace: string[] = [];
    app.getQueue().process("greet", async () => {
      trace.push("begin");
      await new Promise((resolve) => setTimeout(resolve, 20));
      trace.push("end");
    });
    await app.boot();
    await app.getQueue().enqueue("greet", 1);
    await until(() => trace.length === 1);
    await app.stop();
    expect(trace).toEqual(["begin", "end"]);
  });
});

test("Queue, schedule: an invalid cron expression throws at registration", () => {
  const app = createQueueApp();
  expect(() => app.schedule("every day", "greet")).toThrow("not a cron expression");
  app.schedule("0 3 * * *", "greet");
});
