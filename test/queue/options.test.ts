import { describe, expect, it } from "vitest";
import { EspalierError } from "../../src/errors.ts";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";

function createQueue() {
  return new Queue({ adapter: new MemoryQueueAdapter(), createJobContext: () => ({}) });
}

/** Returns the message for a wrong option; undefined without an error. */
async function said(name: unknown, options: object = {}): Promise<string | undefined> {
  try {
    await createQueue().enqueue(name as string, null, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    expect(error.code).toBe("ERR_QUEUE_BAD_OPTION");
    return error.message;
  }
}

const longName = "ü".repeat(128);

describe("the name of a job", () => {
  it.each([longName, "x".repeat(256), "日".repeat(85), "mail.send", " ", "__proto__"])(
    "may be %j",
    async (name) => {
      expect(await said(name)).toBeUndefined();
    },
  );

  it.each([
    ["", 'The name of a job must be a non-empty string without control characters, got "".'],
    [
      "a\nb",
      'The name of a job must be a non-empty string without control characters, got "a\\nb".',
    ],
    [
      "\ud800",
      'The name of a job must be a non-empty string without control characters, got "\\ud800".',
    ],
    [5, "The name of a job must be a non-empty string without control characters, got 5."],
    [`${longName}x`, "The name of a job must have at most 256 bytes, got 257."],
    ["日".repeat(86), "The name of a job must have at most 256 bytes, got 258."],
  ])("is not %j", async (name, message) => {
    expect(await said(name)).toBe(message);
  });
});

describe("the options of a job", () => {
  it.each([
    { delayMs: 0 },
    { delayMs: 0.5 },
    { delayMs: 1e12 },
    { maxAttempts: 1 },
    { priority: 1_000_000 },
    { priority: -1_000_000 },
    { id: longName },
    { backoff: {} },
    { backoff: { type: "fixed", delayMs: 0, maxDelayMs: 1e12 } },
    { backoff: { type: "exponential" } },
    { backoff: undefined, id: undefined, delayMs: undefined },
  ])("may be %j", async (options) => {
    expect(await said("x", options)).toBeUndefined();
  });

  const duration = "must be a number of milliseconds from 0 to 1000000000000, got";
  it.each([
    [{ delayMs: -1 }, `delayMs ${duration} -1.`],
    [{ delayMs: Number.NaN }, `delayMs ${duration} NaN.`],
    [{ delayMs: 1e12 + 1 }, `delayMs ${duration} 1000000000001.`],
    [{ delayMs: "5" }, `delayMs ${duration} "5".`],
    [{ backoff: { delayMs: -1 } }, `backoff.delayMs ${duration} -1.`],
    [{ backoff: { maxDelayMs: "1" } }, `backoff.maxDelayMs ${duration} "1".`],
    [{ id: "x", keepIdMs: -1 }, `keepIdMs ${duration} -1.`],
    [{ keepIdMs: 5 }, "The option keepIdMs needs an id: a generated id is not enqueued again."],
    [{ maxAttempts: 0 }, "maxAttempts must be a positive integer, got 0."],
    [{ maxAttempts: 1.5 }, "maxAttempts must be a positive integer, got 1.5."],
    [{ maxAttempts: "3" }, 'maxAttempts must be a positive integer, got "3".'],
    [{ priority: 0.5 }, "The priority must be an integer from -1000000 to 1000000, got 0.5."],
    [
      { priority: -1_000_001 },
      "The priority must be an integer from -1000000 to 1000000, got -1000001.",
    ],
    [{ priority: "1" }, 'The priority must be an integer from -1000000 to 1000000, got "1".'],
    [{ id: "" }, 'The id of a job must be a non-empty string without control characters, got "".'],
    [{ id: "x".repeat(257) }, "The id of a job must have at most 256 bytes, got 257."],
    [
      { backoff: { type: "linear" } },
      'The backoff type must be "exponential" or "fixed", got "linear".',
    ],
    [{ delay: 5 }, 'enqueue("x"): unknown option "delay". Did you mean "delayMs"?'],
    [
      { backoff: { delay: 5 } },
      'enqueue("x"), backoff: unknown option "delay". Did you mean "delayMs"?',
    ],
  ])("are not %j", async (options, message) => {
    expect(await said("x", options)).toBe(message);
  });
});

describe("a handler", () => {
  const noop = (): void => {};
  const register = (name: string, handler: unknown, options?: object) => (): void =>
    createQueue().process(name, handler as () => void, options);

  it.each([
    [register("", noop), "The name of a job must be a non-empty string"],
    [register("x", noop, { concurrency: 0 }), "concurrency must be a positive integer, got 0."],
    [register("x", noop, { timeoutMs: -1 }), "timeoutMs must be a number of milliseconds from 0"],
    [register("x", noop, { timeout: 5 }), 'process("x"): unknown option "timeout".'],
    [
      register("x", "handler"),
      'The handler of the job "x" must be a function (job, context), got a string.',
    ],
    [
      register("x", undefined),
      'The handler of the job "x" must be a function (job, context), got undefined.',
    ],
  ])("is rejected with a fix, case %#", (process, message) => {
    expect(process).toThrow(expect.objectContaining({ code: "ERR_QUEUE_BAD_OPTION" }));
    expect(process).toThrow(message);
  });

  it("is the one of its name", () => {
    const queue = createQueue();
    expect([queue.hasHandlers, queue.handles("x"), queue.jobNames]).toEqual([false, false, []]);
    queue.process("x", noop);
    queue.process("y", noop, { concurrency: 1, timeoutMs: 0 });
    expect([queue.hasHandlers, queue.handles("x"), queue.handles("z")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(queue.jobNames).toEqual(["x", "y"]);
    expect(() => queue.process("x", noop)).toThrow(
      expect.objectContaining({
        code: "ERR_QUEUE_HANDLER_EXISTS",
        message:
          'The job "x" already has a handler. Use another name, or one handler that does both.',
      }),
    );
  });
});

it("the limit of listed failed jobs is a positive integer", async () => {
  await expect(createQueue().failed(0)).rejects.toMatchObject({
    code: "ERR_QUEUE_BAD_OPTION",
    message: "limit must be a positive integer, got 0.",
  });
});

it("unsupported methods of an adapter are reported with its name", async () => {
  const adapter = {
    name: "plain",
    push: async () => {},
    pull: async () => [],
    ack: async () => true,
    retry: async () => true,
    dead: async () => true,
  };
  const queue = new Queue({ adapter, createJobContext: () => ({}) });
  expect(queue.adapter).toBe(adapter);
  await expect(queue.failed()).rejects.toThrow(
    'The queue "plain" cannot list failed jobs: its adapter has no method for it.',
  );
  await expect(queue.retryFailed("x")).rejects.toThrow(
    'The queue "plain" cannot retry failed jobs: its adapter has no method for it.',
  );
  await expect(queue.discardFailed("x")).rejects.toThrow(
    'The queue "plain" cannot discard failed jobs: its adapter has no method for it.',
  );
});
