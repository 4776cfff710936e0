import { FlowProducer, Queue } from "bullmq";
import { Application, type Job } from "espalier";
import { BullmqQueueAdapter } from "espalier/bullmq";
import { listenAdapterSuite } from "espalier/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { createJobRecord } from "../../src/queue/create-job-record.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";

describe.skipIf(noRedis !== undefined)(`jobs in BullMQ ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  let prefixes = 0;
  let prefix: string;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    await server?.stop();
  });

  const connection = () => ({ host: "127.0.0.1", port: server.port });

  listenAdapterSuite({
    name: "BullMQ",
    describe,
    it,
    createAdapter: () => {
      prefixes += 1;
      return new BullmqQueueAdapter({ connection: connection(), prefix: `bull-${prefixes}` });
    },
  });

  /** Creates a process; those that are created without a prefix share that of the last one. */
  function createProcess(isNew = true, options: { keepCompleted?: number } = {}): Application {
    if (isNew) {
      prefixes += 1;
      prefix = `bull-${prefixes}`;
    }
    const app = new Application({ logger: createRecordingLogger() });
    app.useQueue(new BullmqQueueAdapter({ connection: connection(), prefix, ...options }));
    return app;
  }

  test("jobs are ordinary jobs of BullMQ, with their names, data and ids", async () => {
    const app = createProcess();
    const backoff = { type: "fixed", delayMs: 5000 } as const;
    const id = await app
      .getQueue()
      .enqueue(
        "mail.send",
        { to: "a@example.org" },
        { id: "order:7", maxAttempts: 4, backoff, delayMs: 60_000, priority: 3 },
      );
    const queue = new Queue("mail.send", { connection: connection(), prefix });
    const [job] = await queue.getDelayed();
    expect(id).toBe("order:7");
    expect(job).toMatchObject({
      name: "mail.send",
      data: { to: "a@example.org" },
      id: "order%3A7",
    });
    expect(job?.opts).toMatchObject({ attempts: 4, backoff: { type: "fixed", delay: 5000 } });
    expect(await app.getQueue().find("order:7")).toMatchObject({ state: "delayed", attempt: 0 });
    expect(await app.getQueue().cancel("order:7")).toBe(true);
    expect(await app.getQueue().counts()).toEqual({
      waiting: 0,
      delayed: 0,
      running: 0,
      failed: 0,
    });
    await queue.close();
    await app.stop();
  });

  test.each([null, 0, false, "", "text", [1, [2]], { a: { b: null } }])(
    "the payload %j arrives unchanged",
    async (payload) => {
      const app = createProcess();
      const got: unknown[] = [];
      app.getQueue().process("echo", (job) => void got.push(job.payload));
      await app.getQueue().start();
      await app.getQueue().enqueue("echo", payload);
      await expect.poll(() => got).toEqual([payload]);
      await app.stop();
    },
  );

  test.each(["a:b", "%", "12", "-3", "日本", "a/b", "__proto__"])(
    "%j is a name and an id",
    async (text) => {
      const app = createProcess();
      const got: unknown[] = [];
      app.getQueue().process(text, ({ id, name }) => void got.push([name, id]));
      await app.getQueue().start();
      await app.getQueue().enqueue(text, {}, { id: text });
      await expect.poll(() => got).toEqual([[text, text]]);
      await app.stop();
    },
  );

  test("a job that a producer without Espalier adds is run", async () => {
    const app = createProcess();
    const got: unknown[] = [];
    app.getQueue().process("mail.send", ({ name, payload, attempt, maxAttempts }) => {
      got.push({ name, payload, attempt, maxAttempts });
    });
    await app.getQueue().start();
    const queue = new Queue("mail.send", { connection: connection(), prefix });
    await queue.add("welcome", { to: "b@example.org" }, { attempts: 2 });
    await expect
      .poll(() => got)
      .toEqual([
        { name: "mail.send", payload: { to: "b@example.org" }, attempt: 1, maxAttempts: 2 },
      ]);
    await queue.close();
    await app.stop();
  });

  test("a job is tried again after its backoff, then fails, and can be retried", async () => {
    const app = createProcess();
    const attempts: number[] = [];
    let isBroken = true;
    app.getQueue().process("flaky", ({ attempt }: Job) => {
      attempts.push(attempt);
      if (isBroken) throw new Error("The source is down.");
    });
    await app.getQueue().start();
    const backoff = { type: "fixed", delayMs: 20 } as const;
    await app.getQueue().enqueue("flaky", { a: 1 }, { id: "one", maxAttempts: 3, backoff });
    await expect
      .poll(() => app.getQueue().counts(), { timeout: 15_000 })
      .toMatchObject({ failed: 1 });
    expect(attempts).toEqual([1, 2, 3]);
    expect(await app.getQueue().failed()).toMatchObject([
      { id: "one", name: "flaky", payload: { a: 1 }, attempts: 3, error: "The source is down." },
    ]);
    expect(await app.getQueue().find("one")).toMatchObject({ state: "failed", attempt: 3 });
    isBroken = false;
    expect(await app.getQueue().retryFailed("unknown")).toBe(false);
    expect(await app.getQueue().retryFailed("one")).toBe(true);
    await expect.poll(() => attempts).toEqual([1, 2, 3, 1]);
    await expect.poll(() => app.getQueue().find("one")).toBeUndefined();
    await app.stop();
  });

  test("an attempt whose process died counts until the failed job is retried", async () => {
    const app = createProcess();
    const attempts: number[] = [];
    let isBroken = true;
    app.getQueue().process("stalled", ({ attempt }) => {
      attempts.push(attempt);
      if (isBroken) throw new Error("broken");
    });
    await app.getQueue().enqueue("stalled", null, { id: "one", maxAttempts: 3 });
    const queue = new Queue("stalled", { connection: connection(), prefix });
    const client = await queue.backend.client;
    // As BullMQ does when the lock of a job has expired.
    await client.hset(queue.toKey("one"), { stc: 2 });
    await app.getQueue().start();
    await expect.poll(() => app.getQueue().counts()).toMatchObject({ failed: 1 });
    expect(await app.getQueue().failed()).toMatchObject([{ attempts: 3 }]);
    isBroken = false;
    expect(await app.getQueue().retryFailed("one")).toBe(true);
    await expect.poll(() => attempts).toEqual([3, 1]);
    await queue.close();
    await app.stop();
  });

  test("equal ids are one job while it is pending, and another one after it has ended", async () => {
    const app = createProcess(true, { keepCompleted: 10 });
    const ran: unknown[] = [];
    app.getQueue().process("once", ({ payload }) => {
      ran.push(payload);
      if (payload === "fails") throw new Error("It failed.");
    });
    const enqueue = (payload: string) =>
      app.getQueue().enqueue("once", payload, { id: "same", maxAttempts: 1 });
    await enqueue("first");
    await enqueue("duplicate");
    await app.getQueue().start();
    const ended = { waiting: 0, delayed: 0, running: 0 };
    await expect.poll(() => app.getQueue().counts()).toMatchObject(ended);
    await enqueue("fails");
    await expect.poll(() => app.getQueue().counts()).toMatchObject({ ...ended, failed: 1 });
    await enqueue("last");
    await expect.poll(() => ran).toEqual(["first", "fails", "last"]);
    const queue = new Queue("once", { connection: connection(), prefix });
    await expect.poll(() => queue.getCompletedCount()).toBe(1);
    await queue.close();
    await app.stop();
  });

  describe("keepIdMs", () => {
    test.each([0, 10])(
      "an id stays taken after its job has ended, with %d completed jobs kept",
      async (keepCompleted) => {
        const app = createProcess(true, { keepCompleted });
        const ran: unknown[] = [];
        app.getQueue().process("once", ({ payload }) => {
          ran.push(payload);
          if (payload === "fails") throw new Error("It failed.");
        });
        await app.getQueue().start();
        const enqueue = (id: string, payload: string, keepIdMs?: number) =>
          app.getQueue().enqueue("once", payload, {
            id,
            maxAttempts: 1,
            ...(keepIdMs === undefined ? {} : { keepIdMs }),
          });
        await enqueue("a:1", "first", 1500);
        await enqueue("b:1", "fails", 60_000);
        const ended = { waiting: 0, delayed: 0, running: 0, failed: 1 };
        await expect.poll(() => app.getQueue().counts()).toEqual(ended);
        await enqueue("a:1", "again", 1500);
        await enqueue("a:1", "without the option");
        await enqueue("b:1", "after the failure");
        expect(await app.getQueue().counts()).toEqual(ended);
        await expect
          .poll(() => enqueue("a:1", "later", 1500).then(() => ran), { timeout: 5000 })
          .toEqual(["first", "fails", "later"]);
        await app.stop();
      },
    );

    test("a cancelled job leaves its id taken, for the rest of the time", async () => {
      const app = createProcess();
      const enqueue = () =>
        app
          .getQueue()
          .enqueue("once", null, { id: "cancelled:1", delayMs: 60_000, keepIdMs: 1500 });
      await enqueue();
      expect(await app.getQueue().cancel("cancelled:1")).toBe(true);
      await enqueue();
      expect(await app.getQueue().find("cancelled:1")).toBeUndefined();
      const find = () => enqueue().then(() => app.getQueue().find("cancelled:1"));
      await expect.poll(find, { timeout: 5000 }).toMatchObject({ state: "delayed" });
      await app.stop();
    });

    test("the jobs of one push that share an id are one job", async () => {
      const app = createProcess();
      const job = { name: "once", payload: null, id: "bulk", keepIdMs: 60_000 };
      await app.getQueue().enqueueMany([job, { ...job, payload: 2 }, { ...job, id: "other" }]);
      expect(await app.getQueue().counts()).toMatchObject({ waiting: 2 });
      await app.stop();
    });
  });

  describe("a removal while another process moves the job", () => {
    /** Calls `move` after the next state that BullMQ returns: another process may be faster than the caller. */
    function afterNextState(move: () => Promise<unknown>): void {
      const original = Queue.prototype.getJobState;
      vi.spyOn(Queue.prototype, "getJobState").mockImplementationOnce(async function (
        this: Queue,
        id,
      ) {
        const state = await original.call(this, id);
        await move();
        return state;
      });
    }

    /** Creates a failed job "one", and two processes that run no jobs. */
    async function createFailedJob() {
      const worker = createProcess();
      worker.getQueue().process("moved", () => {
        throw new Error("It failed.");
      });
      await worker.getQueue().start();
      await worker.getQueue().enqueue("moved", null, { id: "one", maxAttempts: 1 });
      await expect.poll(() => worker.getQueue().counts()).toMatchObject({ failed: 1 });
      await worker.stop();
      const [app, other] = [createProcess(false), createProcess(false)];
      // A process finds jobs of names that it has enqueued.
      for (const process of [app, other]) {
        await process.getQueue().enqueue("moved", null, { delayMs: 60_000 });
      }
      return { app, other };
    }

    test("a cancelled job of a flow no longer keeps its parent waiting", async () => {
      const { app, other } = await createFailedJob();
      const flows = new FlowProducer({ connection: connection(), prefix });
      const child = { name: "child", queueName: "moved", opts: { jobId: "child" } };
      await flows.add({ name: "parent", queueName: "parents", children: [child] });
      expect(await app.getQueue().cancel("child")).toBe(true);
      expect(await app.getQueue().find("child")).toBeUndefined();
      const parents = new Queue("parents", { connection: connection(), prefix });
      expect(await parents.getWaitingCount()).toBe(1);
      await Promise.all([app.stop(), other.stop(), flows.close(), parents.close()]);
    });

    test("a failed job that is retried is not discarded", async () => {
      const { app, other } = await createFailedJob();
      afterNextState(() => other.getQueue().retryFailed("one"));
      expect(await app.getQueue().discardFailed("one")).toBe(false);
      expect(await app.getQueue().find("one")).toMatchObject({ state: "waiting" });
      await Promise.all([app.stop(), other.stop()]);
    });

    test("a failed job that is discarded is not retried", async () => {
      const { app, other } = await createFailedJob();
      afterNextState(() => other.getQueue().discardFailed("one"));
      expect(await app.getQueue().retryFailed("one")).toBe(false);
      expect(await app.getQueue().find("one")).toBeUndefined();
      await Promise.all([app.stop(), other.stop()]);
    });

    test.each(["done", "failed"])("a job that is %s is not cancelled", async (end) => {
      const [app, other] = [createProcess(), createProcess(false)];
      other.getQueue().process("moved", () => {
        if (end === "failed") throw new Error("It failed.");
      });
      await app.getQueue().enqueue("moved", null, { id: "one", maxAttempts: 1 });
      const failed = end === "failed" ? 1 : 0;
      afterNextState(async () => {
        await other.getQueue().start();
        const ended = { waiting: 0, delayed: 0, running: 0, failed };
        await expect.poll(() => other.getQueue().counts()).toEqual(ended);
      });
      expect(await app.getQueue().cancel("one")).toBe(false);
      expect(await app.getQueue().counts()).toMatchObject({ failed });
      await Promise.all([app.stop(), other.stop()]);
    });
  });

  test("the option transaction is refused, and stores nothing", async () => {
    const app = createProcess();
    const enqueue = () => app.getQueue().enqueue("a", null, { transaction: {} });
    await expect(enqueue()).rejects.toMatchObject({
      code: "ERR_QUEUE_UNSUPPORTED",
      message: expect.stringContaining(
        'The queue "bullmq" does not support the option "transaction"',
      ),
    });
    expect(await app.getQueue().counts()).toMatchObject({ waiting: 0 });
    await app.stop();
  });

  test("a worker runs jobs one after another, and then those that are due later", async () => {
    const app = createProcess();
    const ran: unknown[] = [];
    const handle = ({ payload }: Job) => void ran.push(payload);
    app.getQueue().process("ordered", handle, { concurrency: 1 });
    const jobs = [1, 2, 3].map((payload) => ({ name: "ordered", payload }));
    await app.getQueue().enqueueMany(jobs);
    await app.getQueue().enqueue("ordered", "delayed", { delayMs: 1200 });
    await app.getQueue().start();
    await expect.poll(() => ran, { timeout: 5_000 }).toEqual([1, 2, 3, "delayed"]);
    await app.stop();
  });

  test("a job that Redis completes after the deadline of the call is done once, and the next one runs", async () => {
    const app = createProcess();
    const ran: unknown[] = [];
    app.getQueue().process(
      "slow",
      ({ payload }) => {
        ran.push(payload);
        if (payload === 1) server.signal("SIGSTOP");
      },
      { concurrency: 1 },
    );
    await app.getQueue().enqueueMany([1, 2].map((payload) => ({ name: "slow", payload })));
    await app.getQueue().start();
    await expect.poll(() => ran).toEqual([1]);
    // Longer than the five seconds of a call.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    server.signal("SIGCONT");
    const counts = () =>
      app
        .getQueue()
        .counts()
        .catch(() => "failed");
    await expect
      .poll(counts, { timeout: 15_000 })
      .toEqual({ waiting: 0, delayed: 0, running: 0, failed: 0 });
    expect(ran).toEqual([1, 2]);
    await app.stop();
  }, 40_000);

  test("a higher priority runs first, and concurrency is limited by name", async () => {
    const app = createProcess();
    const order: unknown[] = [];
    let running = 0;
    let most = 0;
    for (const [id, priority] of [
      ["low", -5],
      ["first", 0],
      ["second", 0],
      ["high", 5],
    ] as const) {
      await app.getQueue().enqueue("ordered", null, { id, priority });
    }
    app.getQueue().process(
      "ordered",
      async ({ id }) => {
        order.push(id);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 10));
        running -= 1;
      },
      { concurrency: 1 },
    );
    await app.getQueue().start();
    await expect.poll(() => order).toEqual(["high", "first", "second", "low"]);
    expect(most).toBe(1);
    await app.stop();
  });

  test("processes run only jobs that they have handlers for", async () => {
    const one = createProcess();
    const other = createProcess(false);
    const ran: string[] = [];
    one.getQueue().process("a", () => void ran.push("a by one"));
    other.getQueue().process("b", () => void ran.push("b by other"));
    await one.getQueue().start();
    await other.getQueue().start();
    await one.getQueue().enqueue("b", null);
    await other.getQueue().enqueue("a", null);
    await expect.poll(() => ran.toSorted()).toEqual(["a by one", "b by other"]);
    await one.stop();
    await other.stop();
  });

  test("jobs that fail for good do not hold up those that follow", async () => {
    const app = createProcess();
    app.getQueue().process("broken", () => {
      throw new Error("broken");
    });
    await app
      .getQueue()
      .enqueueMany([1, 2, 3].map((payload) => ({ name: "broken", payload, maxAttempts: 1 })));
    await app.getQueue().start();
    await expect
      .poll(() => app.getQueue().counts(), { timeout: 3_000 })
      .toMatchObject({ failed: 3 });
    await app.stop();
  });

  test("the oldest failed jobs are listed first, of all names", async () => {
    const app = createProcess();
    for (const name of ["a", "b"]) {
      app.getQueue().process(name, ({ id }) => {
        throw new Error(`${id} is broken`);
      });
    }
    await app.getQueue().start();
    for (const [at, name] of ["b", "a", "b"].entries()) {
      await app.getQueue().enqueue(name, null, { id: `job ${at}`, maxAttempts: 1 });
      await expect.poll(() => app.getQueue().counts()).toMatchObject({ failed: at + 1 });
    }
    const ids = async (limit: number): Promise<string[]> =>
      (await app.getQueue().failed(limit)).map(({ id }) => id);
    expect(await ids(10)).toEqual(["job 0", "job 1", "job 2"]);
    expect(await ids(2)).toEqual(["job 0", "job 1"]);
    await app.stop();
  });

  test("a job whose lock is gone is not ended, and its result is ignored", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    prefixes += 1;
    prefix = `bull-${prefixes}`;
    app.useQueue(new BullmqQueueAdapter({ connection: connection(), prefix }));
    const queue = new Queue("stolen", { connection: connection(), prefix });
    app.getQueue().process("stolen", async ({ id }) => {
      const client = await queue.backend.client;
      await client.del(`${queue.toKey(id)}:lock`);
    });
    await app.getQueue().start();
    await app.getQueue().enqueue("stolen", null, { id: "one" });
    await expect
      .poll(() => logger.lines.map(({ message }) => message))
      .toContain('The job "stolen" ended after its lease; its result is ignored.');
    await queue.close();
    await app.stop();
  });

  test("jobs of another producer without a priority are counted as waiting", async () => {
    const app = createProcess();
    const queue = new Queue("other", { connection: connection(), prefix });
    await queue.add("other", 1);
    await app.getQueue().enqueue("other", 2);
    expect(await app.getQueue().counts()).toMatchObject({ waiting: 2 });
    await queue.close();
    await app.stop();
  });

  test("keys have the prefix of BullMQ by default", async () => {
    const adapter = new BullmqQueueAdapter({ connection: connection() });
    const app = new Application({ logger: createRecordingLogger() });
    app.useQueue(adapter);
    await app.getQueue().enqueue("standard", null, { id: "one" });
    const client = new Redis(server.port);
    expect(await client.exists("bull:standard:one")).toBe(1);
    client.disconnect();
    await app.stop();
  });

  test("errors of the connections are passed on", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const errors: Error[] = [];
    const app = new Application({ logger: createRecordingLogger() });
    app.useQueue(
      new BullmqQueueAdapter({
        connection: { host: "127.0.0.1", port: own.port },
        onError: (error) => errors.push(error),
      }),
    );
    await app.getQueue().enqueue("passed", null);
    // BullMQ tries to connect once a second.
    await own.restart(2_000);
    await expect.poll(() => errors.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect(errors.every((error) => error instanceof Error)).toBe(true);
    await app.stop();
  });

  describe("an adapter that listens until its signal", () => {
    async function listen(abort: "before" | "after") {
      prefixes += 1;
      prefix = `bull-${prefixes}`;
      const adapter = new BullmqQueueAdapter({ connection: connection(), prefix });
      const stopping = new AbortController();
      if (abort === "before") stopping.abort();
      const delivered: string[] = [];
      await adapter.listen(
        async ({ id, lease }) => {
          delivered.push(id);
          await adapter.ack(id, lease);
        },
        {
          names: new Map([["mail", 5]]),
          concurrency: 5,
          leaseMs: () => 30_000,
          signal: stopping.signal,
        },
      );
      const push = async (id: string): Promise<void> =>
        adapter.push([
          createJobRecord("mail", null, { id }, { adapter, now: Date.now(), createId: () => id }),
        ]);
      return { adapter, stopping, delivered, push };
    }

    test("runs nothing after it", async () => {
      const { adapter, stopping, delivered, push } = await listen("after");
      await push("first");
      await expect.poll(() => delivered).toEqual(["first"]);
      stopping.abort();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await push("second");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(delivered).toEqual(["first"]);
      expect(await adapter.find("second")).toMatchObject({ state: "waiting" });
      await adapter.close();
    });

    test("runs nothing if it was aborted before", async () => {
      const { adapter, delivered, push } = await listen("before");
      await push("first");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(delivered).toEqual([]);
      expect(await adapter.find("first")).toMatchObject({ state: "waiting" });
      await adapter.close();
    });
  });

  test("a stop waits for running jobs, and leaves the others to another process", async () => {
    const app = createProcess();
    const ended: unknown[] = [];
    const define = (process: Application, label: string): void => {
      process.getQueue().process(
        "slow",
        async ({ payload }) => {
          await new Promise((resolve) => setTimeout(resolve, 200));
          ended.push(`${payload} by ${label}`);
        },
        { concurrency: 2 },
      );
    };
    define(app, "one");
    for (let job = 1; job <= 4; job += 1) await app.getQueue().enqueue("slow", job);
    await app.getQueue().start();
    await expect.poll(() => app.getQueue().counts()).toMatchObject({ running: 2 });
    await app.stop();
    expect(ended.toSorted()).toEqual(["1 by one", "2 by one"]);
    const other = createProcess(false);
    define(other, "other");
    await other.getQueue().start();
    await expect.poll(() => ended.length, { timeout: 5000 }).toBe(4);
    expect(ended.slice(2).toSorted()).toEqual(["3 by other", "4 by other"]);
    await other.stop();
  });

  test("a Redis that hangs makes enqueue fail within its deadline, and loses no accepted job", async () => {
    const app = createProcess();
    const ran = new Set<unknown>();
    app.getQueue().process("count", ({ payload }) => void ran.add(payload));
    await app.getQueue().start();
    await app.getQueue().enqueue("count", 1);
    await expect.poll(() => ran.size).toBe(1);
    server.signal("SIGSTOP");
    await expect(app.getQueue().enqueue("count", 2)).rejects.toMatchObject({
      code: "ERR_STORE_TIMEOUT",
    });
    server.signal("SIGCONT");
    const enqueue = () => app.getQueue().enqueue("count", 3, { id: "three" });
    await expect.poll(() => enqueue().catch(() => "failed"), { timeout: 10_000 }).toBe("three");
    await expect.poll(() => ran.has(3), { timeout: 10_000 }).toBe(true);
    await app.stop();
  }, 30_000);

  test("stopping while Redis is away leaves no connection that opens when it is back", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const countConnections = async (): Promise<number> => {
      const client = new Redis(own.port);
      const list = String(await client.call("CLIENT", "LIST"))
        .trim()
        .split("\n");
      client.disconnect();
      return list.length - 1;
    };
    const app = new Application({ logger: createRecordingLogger() });
    app.useQueue(new BullmqQueueAdapter({ connection: { host: "127.0.0.1", port: own.port } }));
    app.getQueue().process("count", () => {});
    await app.getQueue().start();
    expect(await countConnections()).toBeGreaterThan(0);
    const back = own.restart(8000);
    // By then BullMQ waits for its next attempt to connect, and the circuit breaker is open.
    const enqueue = () => app.getQueue().enqueue("count", 2);
    await expect
      .poll(() => enqueue().catch(({ code }) => code), { timeout: 7000 })
      .toBe("ERR_STORE_UNAVAILABLE");
    await app.stop();
    await back;
    // BullMQ tries to connect once a second.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(await countConnections()).toBe(0);
  }, 40_000);
});

describe("options", () => {
  test.each([
    [{ connection: undefined }, "connection"],
    [{ connection: {}, prefix: "" }, "prefix"],
    [{ connection: {}, keepCompleted: -1 }, "keepCompleted"],
    [{ connection: {}, onError: "log" }, "onError"],
  ])("%j is refused", (options, name) => {
    // The wrong types are what is tested.
    const wrong = options as ConstructorParameters<typeof BullmqQueueAdapter>[0];
    expect(() => new BullmqQueueAdapter(wrong)).toThrow(
      expect.objectContaining({
        code: "ERR_BULLMQ_BAD_OPTION",
        message: expect.stringContaining(`"${name}"`),
      }),
    );
  });
});
