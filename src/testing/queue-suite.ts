import type { Queue } from "../queue/queue.ts";
import { UnrecoverableJobError } from "../queue/unrecoverable-job-error.ts";
import { assertEqual, assertRejects } from "./assertions.ts";
import type { TestRunner } from "./cache-store-suite.ts";

/** Options of `queueSuite`. */
export interface QueueSuiteOptions extends TestRunner {
  /** Name of the driver in test titles. */
  readonly name: string;
  /**
   * Returns a queue on the driver. The driver may be shared between tests and contain other jobs: every test
   * uses unique names and IDs, and queues of finished tests take no jobs of others.
   */
  readonly createQueue: () => Queue | Promise<Queue>;
  /** Lets some time pass, and the driver do its work; default: 50 ms of real time. */
  readonly tick?: (queue: Queue) => Promise<void>;
  /** How long a test waits for an expected result, in milliseconds; default 20 000. */
  readonly patienceMs?: number;
  /** How long a test waits to confirm that something does not happen, in milliseconds; default 500. */
  readonly quietMs?: number;
  /** False for a driver that deduplicates equal IDs only within a batch; default true. */
  readonly mergesEqualIds?: boolean;
}

/**
 * Tests the behaviour of a queue that is visible to applications, on any driver: including push-based ones,
 * whose adapters cannot be pulled from.
 *
 * @example queueSuite({ name: "redis", describe, it, createQueue });
 */
export function queueSuite(options: QueueSuiteOptions): void {
  const { patienceMs = 20_000, quietMs = 500 } = options;
  const tick = options.tick ?? (() => new Promise<void>((resolve) => setTimeout(resolve, 50)));
  let count = 0;

  const it = (title: string, body: (queue: Queue, name: string) => Promise<void>): void => {
    options.it(title, async () => {
      count += 1;
      const queue = await options.createQueue();
      // Unique name, also between runs on the same driver.
      try {
        await body(queue, `suite-${count}-${crypto.randomUUID()}`);
      } finally {
        await queue.stop();
      }
    });
  };

  const until = async (queue: Queue, check: () => unknown, what: string): Promise<void> => {
    const endsAt = Date.now() + patienceMs;
    while (!(await check())) {
      if (Date.now() > endsAt) throw new Error(`${what}: it did not happen in ${patienceMs} ms`);
      await tick(queue);
    }
  };

  const quiet = async (queue: Queue): Promise<void> => {
    const endsAt = Date.now() + quietMs;
    while (Date.now() < endsAt) await tick(queue);
  };

  options.describe(`a queue on ${options.name}`, () => {
    it("runs a job with its payload", async (queue, name) => {
      const payload = { to: "a@example.org", list: [1, null, "\u2028"], __proto__: null };
      const runs: unknown[] = [];
      queue.process(name, (job) => {
        runs.push({ id: job.id, name: job.name, payload: job.payload, attempt: job.attempt });
      });
      await queue.start();
      const id = await queue.enqueue(name, payload);
      await until(queue, () => runs.length > 0, "the run");
      await quiet(queue);
      assertEqual(runs, [{ id, name, payload, attempt: 1 }], "the runs");
    });

    it("runs every one of 30 jobs beside one that always fails", async (queue, name) => {
      const done = new Set<unknown>();
      queue.process(name, (job) => {
        if (job.payload === 0) throw new Error("poison");
        done.add(job.payload);
      });
      await queue.start();
      const backoff = { type: "fixed", delayMs: 0 } as const;
      const numbers = Array.from({ length: 31 }, (_, number) => number);
      await Promise.all(numbers.map((number) => queue.enqueue(name, number, { backoff })));
      await until(queue, () => done.size === 30, "30 jobs");
    });

    it("retries after the delay of job.retry", async (queue, name) => {
      const runs: { attempt: number; at: number }[] = [];
      queue.process(name, (job) => {
        runs.push({ attempt: job.attempt, at: Date.now() });
        if (job.attempt === 1) job.retry(1000);
      });
      await queue.start();
      await queue.enqueue(name, null);
      await until(queue, () => runs.length === 2, "the second attempt");
      assertEqual(
        runs.map(({ attempt }) => attempt),
        [1, 2],
        "the attempts",
      );
      const waitedMs = (runs[1]?.at ?? 0) - (runs[0]?.at ?? 0);
      if (waitedMs < 950) throw new Error(`The second attempt came after ${waitedMs} ms.`);
    });

    it("makes exactly maxAttempts attempts, and lists the job as failed", async (queue, name) => {
      let runs = 0;
      queue.process(name, () => {
        runs += 1;
        throw null;
      });
      await queue.start();
      const backoff = { type: "fixed", delayMs: 0 } as const;
      const id = await queue.enqueue(name, { kept: true }, { maxAttempts: 2, backoff });
      const find = async () => (await queue.failed()).find((job) => job.id === id);
      await until(queue, find, "the failed job");
      await quiet(queue);
      assertEqual(runs, 2, "attempts");
      const { failedAt, ...failed } = (await find()) ?? { failedAt: 0 };
      const error = "The handler threw null";
      assertEqual(
        failed,
        { id, name, payload: { kept: true }, attempts: 2, error },
        "the failed job",
      );
      assertEqual(failedAt > 1e12, true, "failedAt is a time");
    });

    it("fails a job at once whose handler throws UnrecoverableJobError", async (queue, name) => {
      let runs = 0;
      queue.process(name, (job) => {
        runs += 1;
        job.retry(0);
        throw new UnrecoverableJobError("no such member", { cause: new Error("not found") });
      });
      await queue.start();
      const backoff = { type: "fixed", delayMs: 0 } as const;
      const id = await queue.enqueue(name, 1, { maxAttempts: 5, backoff });
      const find = async () => (await queue.failed()).find((job) => job.id === id);
      await until(queue, find, "the failed job");
      await quiet(queue);
      const { attempts, error } = (await find()) ?? {};
      assertEqual([runs, attempts, error], [1, 1, "no such member"], "runs, attempts and error");
    });

    it("discards a failed job, if supported", async (queue, name) => {
      if (queue.adapter.discardFailed === undefined) return;
      queue.process(name, () => {
        throw new Error("broken");
      });
      await queue.start();
      const isFailed = async (id: string) => (await queue.failed()).some((job) => job.id === id);
      const id = await queue.enqueue(name, 1, { maxAttempts: 1 });
      const other = await queue.enqueue(name, 2, { maxAttempts: 1 });
      const areFailed = async () => (await isFailed(id)) && (await isFailed(other));
      await until(queue, areFailed, "the failed jobs");
      assertEqual(await queue.discardFailed(`no-such-${id}`), false, "an unknown id");
      assertEqual(await queue.discardFailed(id), true, "a failed job");
      await until(queue, async () => !(await isFailed(id)), "the removal");
      assertEqual(await isFailed(other), true, "the other failed job is kept");
      assertEqual(await queue.retryFailed(id), false, "retryFailed of a discarded job");
    });

    it("makes a failed job pending again on retryFailed", async (queue, name) => {
      const runs: number[] = [];
      let broken = true;
      queue.process(name, (job) => {
        runs.push(job.attempt);
        if (broken) throw new Error("broken");
      });
      await queue.start();
      const id = await queue.enqueue(name, 1, { maxAttempts: 1 });
      const isDead = async () => (await queue.failed()).some((job) => job.id === id);
      await until(queue, isDead, "the failed job");
      broken = false;
      assertEqual(await queue.retryFailed(id), true, "retryFailed");
      await until(queue, () => runs.length === 2, "the run afterwards");
      assertEqual(runs, [1, 1], "the attempts");
      assertEqual(await isDead(), false, "still failed");
      assertEqual(await queue.retryFailed(`no-such-${id}`), false, "an unknown id");
    });

    it("does not run a job before its delay is over", async (queue, name) => {
      let ranAt = 0;
      queue.process(name, () => {
        ranAt = Date.now();
      });
      await queue.start();
      const enqueuedAt = Date.now();
      await queue.enqueue(name, null, { delayMs: 1500 });
      await until(queue, () => ranAt > 0, "the run");
      if (ranAt - enqueuedAt < 1450) throw new Error(`It ran after ${ranAt - enqueuedAt} ms.`);
    });

    it("fails a handler that exceeds its timeout, and aborts its signal", async (queue, name) => {
      const signals: AbortSignal[] = [];
      const never = (_job: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
        signals.push(signal);
        return new Promise(() => {});
      };
      queue.process(name, never, { timeoutMs: 200 });
      await queue.start();
      const id = await queue.enqueue(name, null, { maxAttempts: 1 });
      const find = async () => (await queue.failed()).find((job) => job.id === id);
      await until(queue, find, "the failed job");
      assertEqual(
        signals.map(({ aborted }) => aborted),
        [true],
        "the signals",
      );
    });

    it("leaves a job for a process that has a handler, with all its attempts", async (queue, name) => {
      queue.process(name, () => {});
      await queue.start();
      await queue.enqueue(`${name}x`, null, { maxAttempts: 1 });
      await quiet(queue);
      const attempts: number[] = [];
      queue.process(`${name}x`, (job) => {
        attempts.push(job.attempt);
      });
      await until(queue, () => attempts.length > 0, "the run");
      assertEqual(attempts, [1], "the attempts");
    });

    it("rejects a payload that is not JSON", async (queue, name) => {
      let runs = 0;
      queue.process(name, () => {
        runs += 1;
      });
      await queue.start();
      const cyclic: Record<string, unknown> = {};
      cyclic["self"] = cyclic;
      for (const payload of [undefined, () => 1, 1n, cyclic, [Number.NaN]]) {
        await assertRejects(queue.enqueue(name, payload), `a payload of type ${typeof payload}`);
      }
      const limit = queue.adapter.payloadLimitBytes;
      if (limit !== undefined) {
        await assertRejects(queue.enqueue(name, "x".repeat(limit)), "a payload that is too large");
        await queue.enqueue(name, "x".repeat(limit - 2));
        await until(queue, () => runs === 1, "a payload that just fits");
      }
      await quiet(queue);
      assertEqual(runs, limit === undefined ? 0 : 1, "runs");
    });

    it("has no job with an id that no job can have", async (queue) => {
      const { find, cancel, retryFailed, discardFailed } = queue.adapter;
      for (const id of ["", "a\0b", "\ud800", "one\ntwo", "x".repeat(1000)]) {
        if (find !== undefined) assertEqual(await queue.find(id), undefined, "find()");
        if (cancel !== undefined) assertEqual(await queue.cancel(id), false, "cancel()");
        if (retryFailed !== undefined) {
          assertEqual(await queue.retryFailed(id), false, "retryFailed()");
        }
        if (discardFailed === undefined) continue;
        assertEqual(await queue.discardFailed(id), false, "discardFailed()");
      }
    });

    if (options.mergesEqualIds === false) return;
    it("ignores a job whose id is pending", async (queue, name) => {
      let runs = 0;
      queue.process(name, () => {
        runs += 1;
      });
      await queue.start();
      const settings = { id: `${name}-id`, delayMs: 300 };
      for (let index = 0; index < 3; index++) await queue.enqueue(name, 1, settings);
      await until(queue, () => runs > 0, "the run");
      await quiet(queue);
      assertEqual(runs, 1, "runs");
      await queue.enqueue(name, 1, settings);
      await until(queue, () => runs === 2, "the run of the next of that id");
    });
  });
}
