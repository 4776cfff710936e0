import { Application, MemoryQueueAdapter, type QueueAdapter } from "espalier";
import { describe, expect, test } from "vitest";
import { Queue } from "../../src/queue/queue.ts";
import type { JobRecord, PushOptions } from "../../src/queue/queue-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";

function createQueue(changes: Partial<QueueAdapter> = {}) {
  const clock = new FakeClock();
  const memory = new MemoryQueueAdapter({ clock });
  const pushes: { jobs: readonly JobRecord[]; options: PushOptions | undefined }[] = [];
  const adapter = Object.assign(memory, changes);
  const push = adapter.push.bind(adapter);
  adapter.push = async (jobs: readonly JobRecord[], options?: PushOptions) => {
    pushes.push({ jobs, options });
    await push(jobs);
  };
  const queue = new Queue<Record<string, unknown>>({
    adapter,
    clock,
    createJobContext: () => ({}),
  });
  return { queue, clock, memory, pushes };
}

const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error.code,
  );

describe("enqueueMany", () => {
  test("stores all jobs with one push, each with its own options, and runs them", async () => {
    const { queue, clock, pushes } = createQueue();
    const ran: unknown[] = [];
    for (const name of ["a", "b"]) queue.process(name, ({ payload }) => void ran.push(payload));
    const ids = await queue.enqueueMany([
      { name: "a", payload: 1, id: "one" },
      { name: "b", payload: 2, priority: 5 },
      { name: "a", payload: 3, delayMs: 500 },
    ]);
    expect(pushes).toHaveLength(1);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe("one");
    await clock.advance(499);
    expect(ran).toEqual([2, 1]);
    await clock.advance(1);
    expect(ran).toEqual([2, 1, 3]);
  });

  test("stores no job if one of them is not valid", async () => {
    const { queue, pushes } = createQueue();
    const valid = { name: "a", payload: 1 };
    expect(await code(queue.enqueueMany([valid, { name: "a", payload: 1n }]))).toBe(
      "ERR_QUEUE_PAYLOAD_NOT_JSON",
    );
    const wrong: unknown[] = [
      [valid, { name: "", payload: 1 }],
      [valid, { name: "a", payload: 1, delay: 5 }],
      [valid, null],
      "a",
    ];
    for (const jobs of wrong) {
      expect(await code(queue.enqueueMany(jobs as never))).toBe("ERR_QUEUE_BAD_OPTION");
    }
    expect(await code(queue.enqueueMany([valid], { transactions: 1 } as never))).toBe(
      "ERR_QUEUE_BAD_OPTION",
    );
    expect(pushes).toEqual([]);
  });

  test.each<[unknown, object | undefined, string]>([
    ["a", undefined, 'The option "jobs" of enqueueMany must be an array, got "a".'],
    [[null], undefined, 'The option "job" of enqueueMany must be an object, got null.'],
    [[5], undefined, 'The option "job" of enqueueMany must be an object, got 5.'],
    [
      [],
      { transactions: 1 },
      'enqueueMany: unknown option "transactions". Did you mean "transaction"?',
    ],
  ])("of %j, with options %j, is refused", async (jobs, options, message) => {
    const { queue } = createQueue();
    await expect(queue.enqueueMany(jobs as never, options as never)).rejects.toThrow(message);
  });

  test("does nothing for an empty list", async () => {
    const { queue, pushes } = createQueue();
    expect(await queue.enqueueMany([])).toEqual([]);
    expect(pushes).toEqual([]);
  });

  test("of an application keeps the payloads as they are at the call, before the queue is loaded", async () => {
    const app = new Application();
    app.useInMemoryQueue();
    const ran: unknown[] = [];
    app.getQueue().process("a", ({ payload }) => void ran.push(payload));
    const payload = { list: [1] };
    const enqueued = app.getQueue().enqueueMany([{ name: "a", payload }]);
    payload.list.push(2);
    expect(await enqueued).toHaveLength(1);
    await expect.poll(() => ran).toEqual([{ list: [1] }]);
    const other = new Application();
    const refused = other.getQueue().enqueueMany([{ name: "a", payload: new Map() }]);
    expect(await code(refused)).toBe("ERR_QUEUE_PAYLOAD_NOT_JSON");
    const third = new Application().getQueue();
    expect(await code(third.enqueueMany("a" as never))).toBe("ERR_QUEUE_BAD_OPTION");
    await Promise.all([app.stop(), other.stop()]);
  });
});

describe("a transaction", () => {
  test("is passed to an adapter that supports it", async () => {
    const { queue, pushes } = createQueue({ features: ["transaction"] });
    const transaction = { query: () => {} };
    await queue.enqueue("a", 1, { transaction });
    await queue.enqueueMany([{ name: "a", payload: 2 }], { transaction });
    await queue.enqueue("a", 3);
    expect(pushes.map(({ options }) => options)).toEqual([{ transaction }, { transaction }, {}]);
  });

  test("is refused by one that does not", async () => {
    const { queue, pushes } = createQueue();
    await expect(queue.enqueue("a", 1, { transaction: {} })).rejects.toThrow(
      'The queue "memory" does not support the option "transaction" of enqueue.',
    );
    const many = queue.enqueueMany([{ name: "a", payload: 1 }], { transaction: {} });
    expect(await code(many)).toBe("ERR_QUEUE_UNSUPPORTED");
    expect(pushes).toEqual([]);
  });
});

describe("keepIdMs", () => {
  test("keeps an id taken after its job is done", async () => {
    const { queue, clock } = createQueue();
    let runs = 0;
    queue.process("a", () => void runs++);
    const once = { id: "order-1", keepIdMs: 60_000 };
    await queue.enqueue("a", 1, once);
    await clock.advance(10);
    await queue.enqueue("a", 1, once);
    await clock.advance(59_989);
    await queue.enqueue("a", 1, { id: "order-1" });
    await clock.advance(1);
    expect(runs).toBe(1);
    await queue.enqueue("a", 1, once);
    await clock.advance(1);
    expect(runs).toBe(2);
  });

  test("is refused without an id, as a wrong number, and by an adapter that cannot keep ids", async () => {
    const { queue } = createQueue();
    await expect(queue.enqueue("a", 1, { keepIdMs: 5 })).rejects.toThrow("keepIdMs needs an id");
    expect(await code(queue.enqueue("a", 1, { id: "x", keepIdMs: -1 }))).toBe(
      "ERR_QUEUE_BAD_OPTION",
    );
    const other = createQueue({ features: [] }).queue;
    expect(await code(other.enqueue("a", 1, { id: "x", keepIdMs: 5 }))).toBe(
      "ERR_QUEUE_UNSUPPORTED",
    );
    expect(await other.enqueue("a", 1, { id: "x", keepIdMs: 0 })).toBe("x");
  });
});

describe("counts, find and cancel", () => {
  test("are those of the driver", async () => {
    const app = new Application();
    app.useInMemoryQueue();
    const queue = app.getQueue();
    const id = await queue.enqueue("a", { to: "b" }, { delayMs: 60_000 });
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 1, running: 0, failed: 0 });
    expect(await queue.find(id)).toMatchObject({ id, payload: { to: "b" }, state: "delayed" });
    expect([await queue.cancel(id), await queue.cancel(id)]).toEqual([true, false]);
    expect(await queue.find(id)).toBeUndefined();
    await app.stop();
  });

  test("are refused by a driver without them", async () => {
    const changes = { counts: undefined, find: undefined, cancel: undefined } as never;
    const { queue } = createQueue(changes);
    for (const [call, what] of [
      [queue.counts(), "count jobs"],
      [queue.find("x"), "find jobs"],
      [queue.cancel("x"), "cancel jobs"],
    ] as const) {
      await expect(call).rejects.toThrow(
        `The queue "memory" cannot ${what}: its adapter has no method for it.`,
      );
    }
    expect(await queue.size()).toBeUndefined();
  });
});
