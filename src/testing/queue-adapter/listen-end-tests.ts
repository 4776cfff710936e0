import { assertEqual } from "../assertions.ts";
import type { ListenAdapterSuiteTools } from "./listen-tools.ts";
import { longLeaseMs } from "./suite-tools.ts";
import { testUnrecoverableJob } from "./unrecoverable-job-test.ts";

/** Tests the ends of a delivery: done, retried, released, failed, not ended. */
export function testDeliveryEnds(tools: ListenAdapterSuiteTools): void {
  tools.it("accepts the end of a job once", async (adapter) => {
    const ends: boolean[] = [];
    await tools.listen(adapter, async ({ id, lease }) => {
      ends.push(await adapter.ack(id, lease), await adapter.ack(id, lease));
    });
    await adapter.push([tools.job()]);
    await tools.until(() => ends.length > 0, "the delivery");
    assertEqual(ends, [true, false], "the acks");
  });

  tools.it("delivers a retried job at its time, as the next attempt", async (adapter) => {
    let retryAt = 0;
    const { jobs } = await tools.listen(adapter, async ({ id, lease, attempt }) => {
      if (attempt > 1) return await adapter.ack(id, lease);
      retryAt = tools.now() + 1200;
      return await adapter.retry(id, lease, retryAt);
    });
    await adapter.push([tools.job({ payload: { kept: true } })]);
    await tools.until(() => jobs.length > 1, "the second delivery");
    assertEqual(tools.now() >= retryAt - 50, true, "the second delivery is not early");
    await tools.quiet();
    assertEqual(
      jobs.map(({ attempt, payload }) => [attempt, payload]),
      [
        [1, { kept: true }],
        [2, { kept: true }],
      ],
      "the deliveries",
    );
  });

  tools.it("delivers a released job again, as the same attempt", async (adapter) => {
    const release = adapter.release?.bind(adapter);
    if (release === undefined) return;
    let releases = 0;
    const { jobs } = await tools.listen(adapter, async ({ id, lease }) => {
      releases += 1;
      return await (releases === 1 ? release(id, lease) : adapter.ack(id, lease));
    });
    await adapter.push([tools.job()]);
    await tools.until(() => jobs.length > 1, "the second delivery");
    await tools.quiet();
    assertEqual(
      jobs.map(({ attempt }) => attempt),
      [1, 1],
      "the attempts",
    );
  });

  tools.it("delivers a job again that was not ended, as the next attempt", async (adapter) => {
    const { jobs } = await tools.listen(adapter, async ({ id, lease, attempt }) => {
      if (attempt > 1) await adapter.ack(id, lease);
    });
    await adapter.push([tools.job()]);
    await tools.until(() => jobs.length > 1, "the second delivery");
    assertEqual(jobs[1]?.attempt, 2, "the attempt");
  });

  tools.it("does not deliver a failed job, until it is retried", async (adapter) => {
    let isBroken = true;
    const { jobs } = await tools.listen(adapter, ({ id, lease }) =>
      isBroken ? adapter.dead(id, lease, "broken") : adapter.ack(id, lease),
    );
    const pushed = tools.job({ payload: { kept: [1] } });
    await adapter.push([pushed]);
    await tools.until(() => jobs.length > 0, "the delivery");
    await tools.quiet();
    assertEqual(jobs.length, 1, "the number of deliveries");
    if (adapter.failed === undefined || adapter.retryFailed === undefined) return;
    const [failed] = await adapter.failed(10);
    const { id, name, payload } = pushed;
    const { failedAt: _failedAt, ...rest } = failed ?? {};
    assertEqual(rest, { id, name, payload, attempts: 1, error: "broken" }, "the failed job");
    isBroken = false;
    assertEqual(await adapter.retryFailed(id), true, "retryFailed");
    await tools.until(() => jobs.length > 1, "the second delivery");
    assertEqual(jobs[1]?.attempt, 1, "the attempt");
    assertEqual(await adapter.failed(10), [], "the failed jobs afterwards");
  });

  testUnrecoverableJob(tools, async ({ queue, push, runs }) => {
    await queue.start();
    try {
      await push();
      await tools.until(() => runs() > 0, "the attempt");
      await tools.quiet();
    } finally {
      await queue.stopWorker();
    }
  });

  tools.it("discards a failed job, if supported", async (adapter) => {
    if (adapter.discardFailed === undefined || adapter.failed === undefined) return;
    const discardFailed = adapter.discardFailed.bind(adapter);
    const failedIds = async () => (await adapter.failed?.(10))?.map(({ id }) => id);
    let isBroken = true;
    const { jobs } = await tools.listen(adapter, ({ id, lease }) =>
      isBroken ? adapter.dead(id, lease, "broken") : adapter.ack(id, lease),
    );
    const [discarded, kept] = [tools.job(), tools.job()];
    await adapter.push([discarded, kept]);
    await tools.until(async () => (await failedIds())?.length === 2, "two failed jobs");
    assertEqual(await discardFailed("no such id"), false, "an unknown id");
    assertEqual(await discardFailed(discarded.id), true, "a failed job");
    assertEqual(await discardFailed(discarded.id), false, "the job that is discarded");
    assertEqual(await failedIds(), [kept.id], "the failed jobs afterwards");
    assertEqual(await adapter.retryFailed?.(discarded.id), false, "retryFailed afterwards");
    isBroken = false;
    await adapter.push([tools.job({ id: discarded.id })]);
    await tools.until(() => jobs.length > 2, "the delivery of a new job with the id");
    assertEqual(await discardFailed(discarded.id), false, "a job that is done");
  });

  tools.it("keeps the id of a discarded job taken for keepIdMs, if supported", async (adapter) => {
    const keepsIds = adapter.features?.includes("keepIdMs") === true;
    if (adapter.discardFailed === undefined || !keepsIds) return;
    const discardFailed = adapter.discardFailed.bind(adapter);
    const { jobs } = await tools.listen(adapter, ({ id, lease }) =>
      adapter.dead(id, lease, "broken"),
    );
    await adapter.push([tools.job({ id: "kept", keepIdMs: longLeaseMs })]);
    await tools.until(() => discardFailed("kept"), "the removal of the failed job");
    await adapter.push([tools.job({ id: "kept" })]);
    await tools.quiet();
    assertEqual(jobs.length, 1, "the number of deliveries while the id is kept");
  });
}
