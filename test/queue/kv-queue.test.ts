import { describe, expect, it } from "vitest";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { queueAdapterSuite } from "../../src/testing/queue-adapter-suite.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";
import { MemoryKv } from "./support/memory-kv.ts";

const clock = new FakeClock();
/** The namespace in memory accepts more than one write a second to a key. */
const writeIntervalMs = 0;
queueAdapterSuite({
  name: "cloudflare-kv over a namespace in memory",
  describe,
  it,
  createAdapter: () => new KvQueueAdapter({ namespace: new MemoryKv(), clock, writeIntervalMs }),
  now: () => clock.now(),
  wait: (ms) => clock.advance(ms),
});

function createPair() {
  const namespace = new MemoryKv();
  const adapter = new KvQueueAdapter({ namespace, clock, writeIntervalMs });
  const queue = new Queue({ adapter, clock, createJobContext: () => ({}) });
  return { namespace, adapter, queue };
}

describe("the adapter of Workers KV", () => {
  it("finds a job again if its pull was cancelled with its request", async () => {
    const { namespace, adapter, queue } = createPair();
    await queue.enqueue("x", 1);
    const get = namespace.get;
    namespace.get = () => new Promise<never>(() => {});
    const cutOff = pullJobs(adapter, 1, 1000);
    await clock.advance(100);
    namespace.get = get;
    expect(await pullJobs(adapter, 1, 1000)).toEqual([]);
    await clock.advance(40_000);
    expect(await pullJobs(adapter, 1, 1000)).toHaveLength(1);
    expect(cutOff).toBeInstanceOf(Promise);
  });

  it("does not run a leased job if its waiting key still exists", async () => {
    const { namespace, adapter, queue } = createPair();
    await queue.enqueue("x", 1);
    const remove = namespace.delete;
    namespace.delete = () => Promise.reject(new Error("KV: 429 Too Many Requests"));
    const [leased] = await pullJobs(adapter, 1, 60_000);
    namespace.delete = remove;
    expect(namespace.stored.size).toBe(2);
    const other = new KvQueueAdapter({ namespace, clock, writeIntervalMs });
    expect(await pullJobs(other, 1, 60_000)).toEqual([]);
    expect(await adapter.ack(leased?.id ?? "", leased?.lease ?? "")).toBe(true);
    expect(namespace.stored.size).toBe(0);
  });

  it("runs the newest of several keys of a job, and deletes the others", async () => {
    const { namespace, queue } = createPair();
    await queue.enqueue("x", "first", { id: "same" });
    await clock.advance(10);
    await new Queue({
      adapter: new KvQueueAdapter({ namespace, clock, writeIntervalMs }),
      clock,
      createJobContext: () => ({}),
    }).enqueue("x", "second", { id: "same" });
    expect(namespace.stored.size).toBe(2);
    const payloads: unknown[] = [];
    const fresh = new KvQueueAdapter({ namespace, clock, writeIntervalMs });
    for (const job of await pullJobs(fresh, 10, 60_000)) payloads.push(job.payload);
    expect(payloads).toEqual(["second"]);
    expect(namespace.stored.size).toBe(1);
  });

  it("reads a listed but deleted key once, and continues with the next", async () => {
    const { namespace, adapter, queue } = createPair();
    await queue.enqueue("x", "gone", { priority: 1 });
    await queue.enqueue("x", "there");
    const [gone] = [...namespace.stored.keys()];
    namespace.listedButGone.add(gone ?? "");
    const { reads } = namespace;
    const pulled = await pullJobs(adapter, 5, 60_000);
    expect(pulled.map(({ payload }) => payload)).toEqual(["there"]);
    expect(namespace.reads - reads).toBe(2);
  });

  it("keeps a job whose lease cannot be written, and stores a failure beside a successful job", async () => {
    const { namespace, adapter, queue } = createPair();
    await queue.enqueue("x", "a");
    await queue.enqueue("x", "b");
    const put = namespace.put.bind(namespace);
    let refusals = 1;
    namespace.put = (key, value, options) =>
      refusals-- > 0 ? Promise.reject(new Error("KV: 429")) : put(key, value, options);
    expect(await pullJobs(adapter, 2, 60_000)).toHaveLength(1);
    await clock.advance(3000);
    expect(await pullJobs(adapter, 2, 60_000)).toHaveLength(1);
    expect(await countPending(adapter)).toBe(2);
  });
});
