import type { Job } from "bullmq";
import { describe, expect, test } from "vitest";
import {
  isStale,
  toBullmqName,
  toFailedJob,
  toJobOptions,
  toJobState,
  toLeasedJob,
  toSnapshot,
} from "../../src/bullmq/bullmq-jobs.ts";
import { checkBullmqOptions } from "../../src/bullmq/bullmq-options.ts";
import { completeJob, stallOptions } from "../../src/bullmq/job-worker.ts";
import type { JobRecord } from "../../src/queue/queue-adapter.ts";

/** A job as BullMQ returns it; other producers may have added it. */
const jobWith = (changes: object): Job =>
  ({
    ...{ id: "a", data: 1, opts: {}, attemptsMade: 0, stalledCounter: 0, priority: 0 },
    ...{ timestamp: 1000, finishedOn: 2000, failedReason: "broken" },
    ...changes,
  }) as unknown as Job;

test("a job of another producer has one attempt, and its backoff may be a number", () => {
  expect(toLeasedJob(jobWith({}), "x", "l")).toMatchObject({ maxAttempts: 1, backoff: {} });
  const opts = { attempts: 0, backoff: 500 };
  expect(toLeasedJob(jobWith({ opts }), "x", "l")).toMatchObject({
    maxAttempts: 1,
    backoff: { type: "fixed", delayMs: 500 },
  });
});

test("a failed job has at most all its attempts", () => {
  const job = jobWith({ opts: { attempts: 3 }, attemptsMade: 3, stalledCounter: 1 });
  expect(toFailedJob(job, "x")).toMatchObject({ attempts: 3, error: "broken", failedAt: 2000 });
});

test.each([
  ["mail.send", "mail.send"],
  ["order:7", "order%3A7"],
  ["100%", "100%25"],
  ["7", "%37"],
  ["-12", "%2D12"],
  ["12a", "12a"],
  ["a12", "a12"],
  ["1.5", "1.5"],
  ["-", "-"],
])("the name %s is %s in BullMQ, and back", (text, name) => {
  expect(toBullmqName(text)).toBe(name);
  expect(toSnapshot(jobWith({ id: name }), "x", "waiting").id).toBe(text);
});

test("an id of another producer that is not escaped stays as it is", () => {
  expect(toSnapshot(jobWith({ id: "50%" }), "x", "waiting").id).toBe("50%");
  expect(toSnapshot(jobWith({ id: undefined }), "x", "waiting").id).toBe("");
});

describe("the options of a job", () => {
  const record: JobRecord = {
    ...{ id: "order:7", name: "mail", payload: null, keepIdMs: 0, attempt: 0, maxAttempts: 3 },
    ...{ priority: 0, enqueuedAt: 1_000, dueAt: 1_000, backoff: {} },
  };
  const standard = {
    jobId: "order%3A7",
    timestamp: 1_000,
    delay: 0,
    priority: 1_000_001,
    attempts: 3,
    removeOnComplete: true,
    removeOnFail: false,
  };

  test.each<[string, Partial<JobRecord>, object]>([
    ["as they are by default", {}, {}],
    ["with a delay", { dueAt: 6_000 }, { delay: 5_000 }],
    ["with a time that is past", { dueAt: 0 }, { delay: 0 }],
    ["with a priority", { priority: 5 }, { priority: 999_996 }],
    ["with a low priority", { priority: -5 }, { priority: 1_000_006 }],
    [
      "with an id that stays taken",
      { keepIdMs: 1.5 },
      { deduplication: { id: "order%3A7", ttl: 2 } },
    ],
    [
      "with a backoff of a limit alone",
      { backoff: { maxDelayMs: 500 } },
      { backoff: { type: "exponential", maxDelayMs: 500 } },
    ],
    [
      "with a whole backoff",
      { backoff: { type: "fixed", delayMs: 5, maxDelayMs: 9 } },
      { backoff: { type: "fixed", delay: 5, maxDelayMs: 9 } },
    ],
  ])("%s", (_name, changes, expected) => {
    expect(toJobOptions({ ...record, ...changes }, 0)).toStrictEqual({ ...standard, ...expected });
  });

  test("keep as many completed jobs as configured", () => {
    expect(toJobOptions(record, 5).removeOnComplete).toEqual({ count: 5 });
  });
});

test("a leased job has all that was stored", () => {
  const opts = {
    attempts: 4,
    delay: 500,
    deduplication: { id: "a", ttl: 9_000 },
    backoff: { type: "exponential", delay: 5, maxDelayMs: 9 },
  };
  const job = jobWith({ opts, priority: 999_996, attemptsMade: 1, stalledCounter: 1 });
  expect(toLeasedJob(job, "x", "l")).toEqual({
    ...{ id: "a", name: "x", payload: 1, lease: "l", keepIdMs: 9_000, attempt: 3, maxAttempts: 4 },
    ...{ priority: 5, enqueuedAt: 1_000, dueAt: 1_500 },
    backoff: { type: "exponential", delayMs: 5, maxDelayMs: 9 },
  });
  expect(toLeasedJob(jobWith({}), "x", "l")).toMatchObject({
    keepIdMs: 0,
    attempt: 1,
    priority: 0,
    dueAt: 1_000,
  });
});

test.each([
  [{ type: "fixed" }, { type: "fixed" }],
  [{ type: "own" }, { type: "exponential" }],
  [
    { type: "fixed", delay: 5, maxDelayMs: "9" },
    { type: "fixed", delayMs: 5 },
  ],
])("the backoff %j of another producer is %j", (backoff, expected) => {
  expect(toLeasedJob(jobWith({ opts: { backoff } }), "x", "l").backoff).toStrictEqual(expected);
});

test("a failed job without a reason and an end has those of its beginning", () => {
  const job = jobWith({ failedReason: undefined, finishedOn: undefined });
  expect(toFailedJob(job, "x")).toMatchObject({ error: "", failedAt: 1_000 });
  expect(toSnapshot(job, "x", "failed")).toMatchObject({ error: "" });
});

test("a running job is in the attempt that follows those that have ended", () => {
  const job = jobWith({ attemptsMade: 1, stalledCounter: 1, opts: { attempts: 5 } });
  const rest = { id: "a", name: "x", payload: 1, maxAttempts: 5, enqueuedAt: 1_000 };
  expect(toSnapshot(job, "x", "running")).toStrictEqual({ ...rest, state: "running", attempt: 3 });
  expect(toSnapshot(job, "x", "delayed")).toStrictEqual({ ...rest, state: "delayed", attempt: 2 });
  const failed = { ...rest, state: "failed", attempt: 2, error: "broken" };
  expect(toSnapshot(job, "x", "failed")).toStrictEqual(failed);
});

test("states are those of the queue; a completed or unknown job has none", () => {
  const states = ["active", "delayed", "failed", "waiting", "prioritized", "completed", "unknown"];
  expect(states.map((state) => toJobState(state as never))).toEqual([
    "running",
    "delayed",
    "failed",
    "waiting",
    "waiting",
    undefined,
    undefined,
  ]);
});

test("only errors about jobs that are gone or locked elsewhere are stale", () => {
  const withCode = (code: unknown): Error => Object.assign(new Error("no job"), { code });
  expect([-1, -2, -3, -6].map((code) => isStale(withCode(code)))).toEqual(Array(4).fill(true));
  for (const other of [withCode(-4), withCode("E"), new Error("x"), { code: -1 }, undefined]) {
    expect(isStale(other)).toBe(false);
  }
});

test.each([
  [0, 1_000],
  [5_000, 5_000],
  [60_000, 30_000],
])("a lease of %i ms is a lock of %i ms", (leaseMs, lockDuration) => {
  expect(stallOptions(leaseMs)).toEqual({
    lockDuration,
    stalledInterval: lockDuration,
    maxStalledCount: 1_000_000,
  });
});

test.each([
  [undefined, undefined],
  [[], undefined],
  [[null, "7"], undefined],
  [[{ name: "next" }, "7"], { data: { name: "next" }, id: "7" }],
])("a completed job is followed by the next one: %j is %j", async (result, next) => {
  const calls: unknown[] = [];
  const job = jobWith({
    moveToCompleted: async (...args: unknown[]) => {
      calls.push(args);
      return result;
    },
  });
  expect(await completeJob(job, "token", true)).toEqual(next);
  expect(calls).toEqual([[null, "token", true]]);
});

describe("the options of the adapter", () => {
  const check = (options: object) => (): void =>
    checkBullmqOptions({ connection: {}, ...options } as never);

  test.each([
    {},
    { prefix: "own" },
    { keepCompleted: 0 },
    { keepCompleted: 5 },
    { onError: () => {} },
  ])("may be %j", (options) => {
    expect(check(options)).not.toThrow();
  });

  const connection = "connection options or a client of BullMQ";
  test.each<[object, string, string, string]>([
    [{ connection: undefined }, "connection", connection, "undefined"],
    [{ connection: null }, "connection", connection, "null"],
    [{ connection: "redis://localhost" }, "connection", connection, '"redis://localhost"'],
    [{ prefix: "" }, "prefix", "a non-empty string", '""'],
    [{ prefix: 5 }, "prefix", "a non-empty string", "5"],
    [{ keepCompleted: -1 }, "keepCompleted", "an integer of at least 0", "-1"],
    [{ keepCompleted: 1.5 }, "keepCompleted", "an integer of at least 0", "1.5"],
    [{ onError: "log" }, "onError", "a function", '"log"'],
  ])("are not %j", (options, name, expected, got) => {
    expect(check(options)).toThrow(
      expect.objectContaining({
        code: "ERR_BULLMQ_BAD_OPTION",
        message: `The option "${name}" of BullmqQueueAdapter must be ${expected}, got ${got}.`,
      }),
    );
  });

  test("have no other names", () => {
    expect(check({ prefx: "own" })).toThrow(
      'BullmqQueueAdapter: unknown option "prefx". Did you mean "prefix"?',
    );
  });
});
