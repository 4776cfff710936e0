import { assertEqual } from "../assertions.ts";
import { longLeaseMs, type QueueAdapterSuiteTools, shortLeaseMs } from "./suite-tools.ts";

/** Tests the ends of a lease: done, retried, released, failed, renewed, expired. */
export function testLeases(tools: QueueAdapterSuiteTools): void {
  tools.it("removes a job on ack, once", async (adapter) => {
    await adapter.push([tools.job()]);
    const { id, lease } = await tools.pullOne(adapter, shortLeaseMs);
    assertEqual(await adapter.ack(id, lease), true, "the first ack");
    assertEqual(await adapter.ack(id, lease), false, "the second ack");
    await tools.wait(shortLeaseMs + 100);
    await tools.assertNone(adapter, "after the end of its lease");
  });

  tools.it(
    "returns a job again once its lease has expired, as the next attempt",
    async (adapter) => {
      await adapter.push([tools.job()]);
      const first = await tools.pullOne(adapter, shortLeaseMs);
      await tools.assertNone(adapter, "during the lease");
      await tools.wait(shortLeaseMs + 100);
      const second = await tools.pullOne(adapter);
      assertEqual([second.id, second.attempt], [first.id, 2], "the job and its attempt");
      assertEqual(second.lease === first.lease, false, "the lease is the same");
    },
  );

  tools.it("leases each job for the time of its name", async (adapter) => {
    await adapter.push([tools.job({ name: "short" }), tools.job({ name: "long" })]);
    const names = new Map([
      ["short", 5],
      ["long", 5],
    ]);
    const leaseMs = (name: string) => (name === "short" ? shortLeaseMs : longLeaseMs);
    const first = await tools.pullNames(adapter, 5, names, leaseMs);
    assertEqual(first.length, 2, "the jobs");
    await tools.wait(shortLeaseMs + 100);
    const second = await tools.pullNames(adapter, 5, names, leaseMs);
    assertEqual(
      second.map(({ name }) => name),
      ["short"],
      "the job whose lease has expired",
    );
  });

  tools.it("extends a lease on renew unless it is stale, if supported", async (adapter) => {
    if (adapter.renew === undefined) return;
    await adapter.push([tools.job()]);
    const { id, lease } = await tools.pullOne(adapter, shortLeaseMs);
    assertEqual(await adapter.renew(id, lease, shortLeaseMs * 4), true, "the renewal");
    await tools.wait(shortLeaseMs + 100);
    await tools.assertNone(adapter, "after the end of the first lease");
    assertEqual(await adapter.renew(id, lease, shortLeaseMs), true, "a second renewal");
    await tools.wait(shortLeaseMs + 100);
    const second = await tools.pullOne(adapter);
    assertEqual([second.id, second.attempt], [id, 2], "the job and its attempt");
    assertEqual(await adapter.renew(id, lease, longLeaseMs), false, "the renewal of a stale lease");
    assertEqual(await adapter.ack(id, second.lease), true, "the ack of the holder");
    assertEqual(await adapter.renew(id, second.lease, longLeaseMs), false, "after the ack");
    await tools.assertNone(adapter, "after the ack");
  });

  tools.it("ignores calls with a stale lease", async (adapter) => {
    await adapter.push([tools.job()]);
    const late = await tools.pullOne(adapter, shortLeaseMs);
    await tools.wait(shortLeaseMs + 100);
    const current = await tools.pullOne(adapter, shortLeaseMs * 4);
    assertEqual(await adapter.ack(late.id, late.lease), false, "a late ack");
    assertEqual(await adapter.retry(late.id, late.lease, tools.now()), false, "a late retry");
    assertEqual((await adapter.release?.(late.id, late.lease)) ?? false, false, "a late release");
    assertEqual(await adapter.dead(late.id, late.lease, "late"), false, "a late dead");
    await tools.assertNone(adapter, "while the second lease runs");
    assertEqual((await adapter.failed?.(10))?.length ?? 0, 0, "failed jobs");
    assertEqual(await adapter.ack(current.id, current.lease), true, "the ack of the holder");
    await tools.wait(shortLeaseMs * 4);
    await tools.assertNone(adapter, "after the ack of the holder");
  });

  tools.it("returns a retried job at its time, as the next attempt", async (adapter) => {
    await adapter.push([tools.job()]);
    const first = await tools.pullOne(adapter);
    assertEqual(await adapter.retry(first.id, first.lease, tools.now() + 400), true, "retry");
    await tools.assertNone(adapter, "before its time");
    await tools.wait(450);
    const second = await tools.pullOne(adapter);
    assertEqual([second.id, second.attempt], [first.id, 2], "the job and its attempt");
    assertEqual(second.payload, first.payload, "the payload");
    assertEqual(await adapter.ack(first.id, first.lease), false, "the lease of the first");
  });

  tools.it("returns a released job at once, as the same attempt, if supported", async (adapter) => {
    if (adapter.release === undefined) return;
    await adapter.push([tools.job()]);
    const first = await tools.pullOne(adapter);
    assertEqual(await adapter.release(first.id, first.lease), true, "release");
    assertEqual(await adapter.release(first.id, first.lease), false, "a second release");
    const second = await tools.pullOne(adapter);
    assertEqual([second.id, second.attempt], [first.id, 1], "the job and its attempt");
    assertEqual(second.payload, first.payload, "the payload");
    assertEqual(await adapter.ack(first.id, first.lease), false, "the lease of the first");
    assertEqual(await adapter.ack(second.id, second.lease), true, "the lease of the second");
  });

  tools.it("returns a separate copy of the payload to each attempt", async (adapter) => {
    const payload = { list: [1] };
    await adapter.push([tools.job({ payload })]);
    const first = await tools.pullOne(adapter);
    (first.payload as typeof payload).list.push(2);
    await adapter.retry(first.id, first.lease, tools.now());
    assertEqual((await tools.pullOne(adapter)).payload, { list: [1] }, "the payload");
  });

  tools.it("does not return a failed job", async (adapter) => {
    await adapter.push([tools.job()]);
    const { id, lease } = await tools.pullOne(adapter, shortLeaseMs);
    assertEqual(await adapter.dead(id, lease, "broken"), true, "dead");
    await tools.wait(shortLeaseMs + 100);
    await tools.assertNone(adapter, "after it has failed");
  });
}
