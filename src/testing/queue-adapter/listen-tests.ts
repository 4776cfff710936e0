import { Queue } from "../../queue/queue.ts";
import type { LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { assertEqual } from "../assertions.ts";
import type { ListenAdapterSuiteTools } from "./listen-tools.ts";
import { countNames, longLeaseMs } from "./suite-tools.ts";

/** Duration of a job, in milliseconds. */
const jobMs = 30;

/** Returns a listener that marks every job as done. */
function acknowledge(adapter: QueueAdapter): (job: LeasedJob) => Promise<boolean> {
  return ({ id, lease }) => adapter.ack(id, lease);
}

/** Tests which jobs are delivered, and how often. */
export function testDeliveries(tools: ListenAdapterSuiteTools): void {
  tools.it("delivers a job as it was pushed, once, as its first attempt", async (adapter) => {
    const { jobs } = await tools.listen(adapter, acknowledge(adapter));
    const pushed = tools.job({ payload: { list: [1, null, "\u2028"] }, maxAttempts: 7 });
    await adapter.push([pushed]);
    await tools.until(() => jobs.length > 0, "the delivery");
    await tools.quiet();
    assertEqual(jobs.length, 1, "the number of deliveries");
    const { lease, dueAt: _dueAt, ...delivered } = jobs[0] ?? { lease: undefined };
    const { dueAt: _pushedDueAt, ...expected } = pushed;
    assertEqual(delivered, { ...expected, attempt: 1 }, "the job");
    assertEqual(typeof lease === "string" && lease !== "", true, "the lease is a string");
  });

  tools.it(
    "delivers jobs that were pushed before it listens, and all of a large push",
    async (adapter) => {
      const pushed = Array.from({ length: 60 }, () => tools.job());
      await adapter.push(pushed);
      const { jobs } = await tools.listen(adapter, acknowledge(adapter));
      await tools.until(() => jobs.length >= pushed.length, "60 deliveries");
      await tools.quiet();
      assertEqual(jobs.length, pushed.length, "the number of deliveries");
      assertEqual(new Set(jobs.map(({ id }) => id)).size, pushed.length, "different jobs");
    },
  );

  tools.it("does not deliver a job before it is due", async (adapter) => {
    const { jobs } = await tools.listen(adapter, acknowledge(adapter));
    const dueAt = tools.now() + 1200;
    await adapter.push([tools.job({ dueAt })]);
    await tools.until(() => jobs.length > 0, "the delivery");
    assertEqual(tools.now() >= dueAt - 50, true, "the delivery is not early");
  });

  tools.it(
    "leaves jobs of other names, and delivers names that are added later",
    async (adapter) => {
      const { jobs } = await tools.listen(adapter, acknowledge(adapter), ["a"]);
      await adapter.push([tools.job({ name: "b" }), tools.job({ name: "a" })]);
      await tools.until(() => jobs.length > 0, "the delivery of a");
      await tools.quiet();
      assertEqual(countNames(jobs), { a: 1 }, "the deliveries");
      const more = await tools.listen(adapter, acknowledge(adapter), ["a", "b"]);
      await tools.until(() => more.jobs.length > 0, "the delivery of b");
      assertEqual(more.jobs[0]?.attempt, 1, "the attempt");
    },
  );

  tools.it("ignores a job whose id is pending, and accepts the id afterwards", async (adapter) => {
    if (!tools.mergesEqualIds) return;
    const dueAt = tools.now() + 300;
    for (let count = 0; count < 3; count++) await adapter.push([tools.job({ id: "same", dueAt })]);
    const { jobs } = await tools.listen(adapter, acknowledge(adapter));
    await tools.until(() => jobs.length > 0, "the delivery");
    await tools.quiet();
    assertEqual(jobs.length, 1, "the number of deliveries");
    await adapter.push([tools.job({ id: "same" })]);
    await tools.until(() => jobs.length > 1, "the delivery of the next of that id");
  });

  tools.it(
    "keeps an id taken for keepIdMs, even after its job has ended, if supported",
    async (adapter) => {
      if (adapter.features?.includes("keepIdMs") !== true) return;
      const { jobs } = await tools.listen(adapter, acknowledge(adapter));
      const kept = () => tools.job({ id: "kept", keepIdMs: 3000 });
      await adapter.push([kept()]);
      await tools.until(() => jobs.length > 0, "the delivery");
      await adapter.push([kept()]);
      await tools.quiet();
      assertEqual(jobs.length, 1, "the number of deliveries while the id is kept");
      await tools.wait(3000);
      await adapter.push([kept()]);
      await tools.until(() => jobs.length > 1, "the delivery of the next of that id");
    },
  );

  tools.it(
    "skips a job without keepIdMs while an earlier job keeps its id, if supported",
    async (adapter) => {
      if (adapter.features?.includes("keepIdMs") !== true) return;
      const { jobs } = await tools.listen(adapter, acknowledge(adapter));
      // Looks like a generated id, but is not one.
      const id = crypto.randomUUID();
      await adapter.push([tools.job({ id, keepIdMs: longLeaseMs })]);
      await tools.until(() => jobs.length > 0, "the delivery");
      await adapter.push([tools.job({ id })]);
      await tools.quiet();
      assertEqual(jobs.length, 1, "the number of deliveries while the id is kept");
    },
  );

  tools.it("finds, counts and cancels jobs, if supported", async (adapter) => {
    const delayed = tools.job({ dueAt: tools.now() + longLeaseMs });
    await adapter.push([delayed]);
    const counts = await adapter.counts?.();
    if (counts !== undefined) assertEqual([counts.delayed, counts.running], [1, 0], "the counts");
    if (adapter.find !== undefined) {
      const { id, name, payload } = delayed;
      const found = await adapter.find(id);
      const { state } = found ?? {};
      assertEqual([found?.name, found?.payload, state], [name, payload, "delayed"], "the job");
      assertEqual(await adapter.find("no such id"), undefined, "an unknown id");
    }
    if (adapter.cancel === undefined) return;
    const soon = tools.job({ dueAt: tools.now() + 400 });
    await adapter.push([soon]);
    assertEqual(await adapter.cancel(soon.id), true, "the delayed job");
    assertEqual(await adapter.cancel(soon.id), false, "the job that is cancelled");
    const { jobs } = await tools.listen(adapter, acknowledge(adapter));
    await tools.wait(400);
    await tools.quiet();
    assertEqual(jobs.length, 0, "the number of deliveries");
  });
}

/** Tests concurrency, and the end of the delivery. */
export function testDeliveryStops(tools: ListenAdapterSuiteTools): void {
  tools.it("runs no more jobs at once than the queue allows", async (adapter) => {
    let running = 0;
    let most = 0;
    let done = 0;
    const queue = new Queue({ adapter, createJobContext: () => ({}), concurrency: 3 });
    const handler = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await tools.wait(jobMs);
      running -= 1;
      done += 1;
    };
    queue.process("test", handler, { concurrency: 2 });
    queue.process("other", handler, { concurrency: 2 });
    await queue.start();
    try {
      await adapter.push(
        Array.from({ length: 12 }, (_, at) => tools.job({ name: at % 2 === 0 ? "test" : "other" })),
      );
      await tools.until(() => done === 12, "12 jobs");
      assertEqual(most <= 3, true, "the limit of concurrent jobs");
    } finally {
      await queue.stopWorker();
    }
  });

  tools.it("delivers nothing after a stop, and lets running jobs end", async (adapter) => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const ends: boolean[] = [];
    const listener = await tools.listen(adapter, async ({ id, lease }) => {
      await finished;
      ends.push(await adapter.ack(id, lease));
    });
    await adapter.push([tools.job()]);
    await tools.until(() => listener.jobs.length > 0, "the delivery");
    listener.stop();
    await adapter.push([tools.job(), tools.job()]);
    await tools.quiet();
    assertEqual(listener.jobs.length, 1, "the number of deliveries");
    finish();
    await tools.until(() => ends.length > 0, "the end of the running job");
    assertEqual(ends, [true], "the ack");
    const next = await tools.listen(adapter, acknowledge(adapter));
    await tools.until(() => next.jobs.length > 1, "the deliveries to the next listener");
    assertEqual(next.jobs[0]?.attempt, 1, "the attempt");
  });

  tools.it("closes once the running jobs have ended", async (adapter) => {
    let isDone = false;
    const listener = await tools.listen(adapter, async ({ id, lease }) => {
      await tools.wait(4 * jobMs);
      isDone = await adapter.ack(id, lease);
    });
    await adapter.push([tools.job()]);
    await tools.until(() => listener.jobs.length > 0, "the delivery");
    listener.stop();
    const closed = Promise.resolve(adapter.close?.()).then(() => isDone);
    await tools.until(() => isDone, "the end of the running job");
    assertEqual(await closed, true, "the job had ended");
  });
}
