import { Application, MemoryQueueAdapter, type QueueAdapter } from "espalier";
import { describe, expect, test } from "vitest";
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
    const pulls: { max: number; leaseMs: number; at: number }[] = [];
    const memory = new MemoryQueueAdapter();
    const adapter: QueueAdapter = {
      push: (jobs) => memory.push(jobs),
      pull: async ({ max, leaseMs }) => {
        pulls.push({ max, leaseMs: leaseMs("x"), at: performance.now() });
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
    await expect.poll(() => pulls.length, { interval: 5 }).toBeGreaterThanOrEqual(4);
    await app.stop();
    expect(pulls[0]).toMatchObject({ max: 2, leaseMs: 70 });
    const [first, , , fourth] = pulls;
    expect((fourth?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(900);
  });

  test.each(["JOBS", { binding: "JOBS" }])("queue: %j names the producer binding", (queue) => {
    expect(new Application({ queue }).inspect().queue).toBe("JOBS");
  });
});
