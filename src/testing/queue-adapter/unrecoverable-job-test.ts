import { Queue } from "../../queue/queue.ts";
import type { QueueAdapter } from "../../queue/queue-adapter.ts";
import { UnrecoverableJobError } from "../../queue/unrecoverable-job-error.ts";
import { assertEqual } from "../assertions.ts";
import type { QueueAdapterSuiteTools } from "./suite-tools.ts";

/** The queue of the test, with one job. */
export interface UnrecoverableJob {
  readonly queue: Queue;
  readonly adapter: QueueAdapter;
  /** Makes the job pending. */
  push(): Promise<void>;
  /** Returns how often the job has run. */
  runs(): number;
}

/**
 * Tests that a job whose handler throws UnrecoverableJobError is not attempted again.
 *
 * @param run pushes the job, lets the queue run it, and waits as long as a second attempt would take
 */
export function testUnrecoverableJob(
  tools: QueueAdapterSuiteTools,
  run: (job: UnrecoverableJob) => Promise<void>,
): void {
  tools.it("fails a job of UnrecoverableJobError at once", async (adapter) => {
    let runs = 0;
    const queue = new Queue({ adapter, createJobContext: () => ({}) });
    queue.process("test", () => {
      runs += 1;
      throw new UnrecoverableJobError("no such member");
    });
    const pushed = tools.job({ maxAttempts: 5, backoff: { type: "fixed", delayMs: 0 } });
    await run({ queue, adapter, push: () => adapter.push([pushed]), runs: () => runs });
    assertEqual(runs, 1, "the attempts");
    if (adapter.failed === undefined) return;
    const failed = await adapter.failed(10);
    assertEqual(
      failed.map(({ id, attempts, error }) => [id, attempts, error]),
      [[pushed.id, 1, "no such member"]],
      "the failed jobs",
    );
  });
}
