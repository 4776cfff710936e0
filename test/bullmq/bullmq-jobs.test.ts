import type { Job } from "bullmq";
import { expect, test } from "vitest";
import { toFailedJob, toLeasedJob } from "../../src/bullmq/bullmq-jobs.ts";

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
