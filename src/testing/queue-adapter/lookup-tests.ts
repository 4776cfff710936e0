import { describe } from "../../util/describe.ts";
import { assertEqual } from "../assertions.ts";
import { longLeaseMs, type QueueAdapterSuiteTools } from "./suite-tools.ts";
import { testUnrecoverableJob } from "./unrecoverable-job-test.ts";

/** Tests what an adapter can tell about its jobs, and the removal of jobs; each only if it is supported. */
export function testLookups(tools: QueueAdapterSuiteTools): void {
  tools.it("lists failed jobs and makes them pending again, if supported", async (adapter) => {
    if (adapter.failed === undefined || adapter.retryFailed === undefined) return;
    const pushed = tools.job({ payload: { kept: [1, "two"] } });
    await adapter.push([pushed]);
    const { id, lease } = await tools.pullOne(adapter);
    await adapter.dead(id, lease, "broken");
    const [failed, ...more] = await adapter.failed(10);
    assertEqual(more.length, 0, "other failed jobs");
    const { failedAt, ...rest } = failed ?? { failedAt: Number.NaN };
    const { name, payload } = pushed;
    assertEqual(rest, { id, name, payload, attempts: 1, error: "broken" }, "the failed job");
    assertEqual(Math.abs(failedAt - tools.now()) < 60_000, true, "failedAt is a time");
    assertEqual(await adapter.retryFailed("no such id"), false, "an unknown id");
    assertEqual(await adapter.retryFailed(id), true, "a known id");
    assertEqual((await adapter.failed(10)).length, 0, "failed jobs afterwards");
    const again = await tools.pullOne(adapter);
    assertEqual([again.id, again.attempt], [id, 1], "the job and its attempt");
  });

  testUnrecoverableJob(tools, async ({ queue, adapter, push }) => {
    await push();
    await queue.drain();
    await tools.wait(50);
    await queue.drain();
    await tools.assertNone(adapter, "after it has failed");
  });

  tools.it("discards a failed job, if supported", async (adapter) => {
    if (adapter.discardFailed === undefined) return;
    const discardFailed = adapter.discardFailed.bind(adapter);
    assertEqual(await discardFailed("no such id"), false, "an unknown id");
    await adapter.push([tools.job(), tools.job()]);
    const [first, second] = [await tools.pullOne(adapter), await tools.pullOne(adapter)];
    assertEqual(await discardFailed(first.id), false, "a running job");
    for (const { id, lease } of [first, second]) await adapter.dead(id, lease, "broken");
    assertEqual(await discardFailed(first.id), true, "a failed job");
    assertEqual(await discardFailed(first.id), false, "the job that is discarded");
    assertEqual(await adapter.retryFailed?.(first.id), false, "retryFailed of a discarded job");
    const failed = await adapter.failed?.(10);
    assertEqual(
      failed?.map(({ id }) => id),
      [second.id],
      "the failed jobs afterwards",
    );
    await adapter.push([tools.job({ id: first.id })]);
    assertEqual(await discardFailed(first.id), false, "a new job with the id");
    assertEqual((await tools.pullOne(adapter)).id, first.id, "the new job");
  });

  tools.it("keeps the id of a discarded job taken for keepIdMs, if supported", async (adapter) => {
    const keepsIds = adapter.features?.includes("keepIdMs") === true;
    if (adapter.discardFailed === undefined || !keepsIds) return;
    await adapter.push([tools.job({ id: "kept", keepIdMs: longLeaseMs })]);
    const { id, lease } = await tools.pullOne(adapter);
    await adapter.dead(id, lease, "broken");
    assertEqual(await adapter.discardFailed(id), true, "discardFailed");
    await adapter.push([tools.job({ id: "kept" })]);
    await tools.assertNone(adapter, "while the id is kept");
  });

  tools.it("stores any message of a failed job, if it lists them", async (adapter) => {
    const messages = ["", "one\0two", "three\ud800four", "\u0001\u007f\u2028", "x".repeat(1000)];
    await adapter.push(messages.map(() => tools.job()));
    for (const message of messages) {
      const { id, lease } = await tools.pullOne(adapter);
      assertEqual(await adapter.dead(id, lease, message), true, `dead() with ${describe(message)}`);
    }
    if (adapter.failed === undefined) return;
    const errors = (await adapter.failed(10)).map(({ error }) => toPlain(error));
    assertEqual(errors.toSorted(), messages.map(toPlain).toSorted(), "the messages");
  });

  tools.it("makes a failed job pending again whose id is kept, if supported", async (adapter) => {
    const keepsIds = adapter.features?.includes("keepIdMs") === true;
    if (adapter.retryFailed === undefined || !keepsIds) return;
    await adapter.push([tools.job({ id: "kept", keepIdMs: longLeaseMs })]);
    const { id, lease } = await tools.pullOne(adapter);
    await adapter.dead(id, lease, "broken");
    assertEqual(await adapter.retryFailed(id), true, "retryFailed");
    assertEqual((await tools.pullOne(adapter)).id, id, "the job");
  });

  tools.it("counts the jobs of each state, if supported", async (adapter) => {
    if (adapter.counts === undefined) return;
    const none = { waiting: 0, delayed: 0, running: 0, failed: 0 };
    assertEqual(await adapter.counts(), none, "without jobs");
    await adapter.push([tools.job(), tools.job(), tools.job()]);
    await adapter.push([tools.job({ dueAt: tools.now() + longLeaseMs })]);
    assertEqual(await adapter.counts(), { ...none, waiting: 3, delayed: 1 }, "four jobs");
    const first = await tools.pullOne(adapter);
    const second = await tools.pullOne(adapter);
    const running = { waiting: 1, delayed: 1, running: 2, failed: 0 };
    assertEqual(await adapter.counts(), running, "two of them running");
    await adapter.ack(first.id, first.lease);
    await adapter.dead(second.id, second.lease, "broken");
    const ended = { waiting: 1, delayed: 1, running: 0, failed: 1 };
    assertEqual(await adapter.counts(), ended, "one done and one failed");
  });

  tools.it("finds a job by its id in each state, if supported", async (adapter) => {
    if (adapter.find === undefined) return;
    const find = adapter.find.bind(adapter);
    assertEqual(await find("no such id"), undefined, "an unknown id");
    const pushed = tools.job({ payload: { kept: [1] }, maxAttempts: 5 });
    const delayed = tools.job({ dueAt: tools.now() + longLeaseMs });
    await adapter.push([pushed, delayed]);
    const { id, name, payload, maxAttempts, enqueuedAt } = pushed;
    const expected = { id, name, payload, state: "waiting", attempt: 0, maxAttempts, enqueuedAt };
    assertEqual(await find(id), expected, "the waiting job");
    assertEqual((await find(delayed.id))?.state, "delayed", "the delayed job");
    const { lease } = await tools.pullOne(adapter);
    const running = { ...expected, state: "running", attempt: 1 };
    assertEqual(await find(id), running, "the running job");
    await adapter.dead(id, lease, "broken");
    const failed = { ...running, state: "failed", error: "broken" };
    assertEqual(await find(id), failed, "the failed job");
  });

  tools.it("cancels a job that is not running, if supported", async (adapter) => {
    if (adapter.cancel === undefined) return;
    assertEqual(await adapter.cancel("no such id"), false, "an unknown id");
    const waiting = tools.job();
    const delayed = tools.job({ dueAt: tools.now() + 400 });
    await adapter.push([waiting, delayed]);
    assertEqual(await adapter.cancel(waiting.id), true, "the waiting job");
    assertEqual(await adapter.cancel(waiting.id), false, "the job that is cancelled");
    assertEqual(await adapter.cancel(delayed.id), true, "the delayed job");
    await tools.wait(450);
    await tools.assertNone(adapter, "after they were cancelled");
    await adapter.push([tools.job({ id: waiting.id })]);
    const { id, lease } = await tools.pullOne(adapter);
    assertEqual(await adapter.cancel(id), false, "the running job");
    assertEqual(await adapter.ack(id, lease), true, "the ack of the running job");
    assertEqual(await adapter.cancel(id), false, "the job that is done");
  });
}

/** An engine may replace these characters: a message is for people. */
function toPlain(message: string): string {
  return message.toWellFormed().replaceAll("\0", "\ufffd");
}
