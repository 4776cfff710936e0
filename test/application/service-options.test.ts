import { Application, MemoryQueueAdapter, type QueueAdapter } from "espalier";
import { describe, expect, test, vi } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const never = (): Promise<never> => new Promise(() => {});
const logger = createRecordingLogger();

describe("options of the queue and the cache", () => {
  test.each([
    [{ queue: { timeOutMs: 5 } }, 'queue: unknown option "timeOutMs". Did you mean "timeoutMs"?'],
    [{ cache: { ttlMs: 5 } }, 'cache: unknown option "ttlMs"'],
    [{ cache: null }, "cache: options must be an object, got null."],
    [
      { queue: { timeoutMs: 0 } },
      'The option "queue.timeoutMs" of Application must be a number of milliseconds above 0, got 0.',
    ],
    [
      { queue: { leaseMs: Number.NaN } },
      'The option "queue.leaseMs" of Application must be a number of milliseconds above 0, got NaN.',
    ],
    [
      { queue: { concurrency: 1.5 } },
      'The option "queue.concurrency" of Application must be a positive integer, got 1.5.',
    ],
    [
      { cache: { timeoutMs: "1s" } },
      'The option "cache.timeoutMs" of Application must be a number of milliseconds above 0, got "1s".',
    ],
  ])("%j is refused", (options, message) => {
    expect(() => new Application(options as never)).toThrow(message);
  });

  test("a cache that does not respond times out after cache.timeoutMs", async () => {
    const app = new Application({ logger, cache: { timeoutMs: 30 } });
    app.useCacheStore({ get: never, set: never, delete: never });
    await expect(app.cacheGet("key")).rejects.toMatchObject({ code: "ERR_STORE_TIMEOUT" });
    expect(await app.cacheRemember("key", () => "made")).toBe("made");
  });

  test("a queue that does not respond times out after queue.timeoutMs", async () => {
    const app = new Application({ logger, queue: { timeoutMs: 30 } });
    const memory = new MemoryQueueAdapter();
    app.useQueue(Object.assign(Object.create(memory) as QueueAdapter, { push: never }));
    const enqueued = app.getQueue().enqueue("x", null);
    await expect(enqueued).rejects.toMatchObject({ code: "ERR_STORE_TIMEOUT", status: 503 });
  });

  test("leaseMs and concurrency limit pulls, and pollMs their interval", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const pulls: { max: number; leaseMs: number }[] = [];
    const memory = new MemoryQueueAdapter();
    const adapter: QueueAdapter = {
      push: (jobs) => memory.push(jobs),
      pull: async ({ max, leaseMs }) => {
        pulls.push({ max, leaseMs: leaseMs("x") });
        return [];
      },
      ack: (id, lease) => memory.ack(id, lease),
      retry: (id, lease, atMs) => memory.retry(id, lease, atMs),
      dead: (id, lease, error) => memory.dead(id, lease, error),
    };
    const app = new Application({ logger, queue: { leaseMs: 70, concurrency: 2, pollMs: 40 } });
    app.useQueue(adapter);
    app.getQueue().process("x", () => {});
    await app.getQueue().start();
    await vi.advanceTimersByTimeAsync(0);
    expect(pulls).toEqual([{ max: 2, leaseMs: 70 }]);
    await vi.advanceTimersByTimeAsync(39);
    expect(pulls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(pulls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(80);
    expect(pulls).toHaveLength(4);
    vi.useRealTimers();
    await app.stop();
  });

  test.each(["JOBS", { binding: "JOBS" }])("queue: %j names the producer binding", (queue) => {
    expect(new Application({ queue }).inspect().queue).toBe("JOBS");
  });
});
