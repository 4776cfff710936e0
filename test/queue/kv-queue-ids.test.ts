import { describe, expect, it } from "vitest";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvPutOptions } from "../../src/platform/cloudflare/kv-types.ts";
import { Queue } from "../../src/queue/queue.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { pullJobs } from "../support/pull-jobs.ts";
import { MemoryKv } from "./support/memory-kv.ts";

/** A namespace that refuses to write some keys, and records the order of the others. */
class RefusingKv extends MemoryKv {
  readonly written: string[] = [];
  /** Time to live of each id, in seconds. */
  readonly ttls: (number | undefined)[] = [];
  refused: string | undefined;

  override async put(key: string, value: string, options?: KvPutOptions): Promise<void> {
    if (this.refused !== undefined && key.startsWith(this.refused)) throw new Error("KV is away");
    this.written.push(key.split("/")[1] ?? "");
    if (key.startsWith("queue/id/")) this.ttls.push(options?.expirationTtl);
    await super.put(key, value, options);
  }
}

function createQueue() {
  const clock = new FakeClock();
  const kv = new RefusingKv();
  const adapter = new KvQueueAdapter({ namespace: kv, clock });
  const queue = new Queue({ adapter, clock, createJobContext: () => ({}) });
  const enqueue = async (id: string, keepIdMs?: number, delayMs = 0): Promise<unknown> => {
    const options = { id, delayMs, ...(keepIdMs === undefined ? {} : { keepIdMs }) };
    const result = queue.enqueue("x", id, options).catch((error: unknown) => error);
    await clock.advance(5000);
    return await result;
  };
  const keys = (part: string): string[] =>
    [...kv.stored.keys()].filter((key) => key.startsWith(`queue/${part}/`));
  return { clock, kv, adapter, queue, enqueue, keys };
}

describe("keepIdMs on Workers KV", () => {
  it("writes the job before it takes the id", async () => {
    const { kv, enqueue } = createQueue();
    await enqueue("a", 60_000);
    expect(kv.written).toEqual(["job", "id"]);
  });

  it("lets KV remove the id when it is free, but not within a minute", async () => {
    const { kv, enqueue } = createQueue();
    await enqueue("long", 90_500);
    await enqueue("short", 1000);
    expect(kv.ttls).toEqual([91, 60]);
  });

  it("does not take the id of a job that could not be stored", async () => {
    const { kv, enqueue, keys } = createQueue();
    kv.refused = "queue/job/";
    expect(await enqueue("a", 60_000)).toBeInstanceOf(Error);
    kv.refused = undefined;
    expect(await enqueue("a", 60_000)).toBe("a");
    expect([keys("job").length, keys("id").length]).toEqual([1, 1]);
  });

  it("keeps a job whose id could not be taken: enqueuing it again merges both", async () => {
    const { clock, kv, adapter, enqueue, keys } = createQueue();
    kv.refused = "queue/id/";
    expect(await enqueue("a", 60_000)).toBeInstanceOf(Error);
    kv.refused = undefined;
    expect(await enqueue("a", 60_000)).toBe("a");
    expect(keys("job")).toHaveLength(2);
    const pulling = pullJobs(adapter, 10, 60_000);
    await clock.advance(5000);
    expect(await pulling).toMatchObject([{ id: "a", attempt: 1 }]);
  });

  it("reads KV once for a job with an id of its caller, and never for a generated id", async () => {
    const { kv, queue, enqueue, keys } = createQueue();
    await enqueue("a");
    expect([kv.reads, kv.written]).toEqual([1, ["job"]]);
    await queue.enqueue("x", null);
    expect([kv.reads, kv.written]).toEqual([1, ["job", "job"]]);
    expect([...kv.stored.values()].join()).not.toContain("hasGeneratedId");
    expect(keys("id")).toEqual([]);
  });

  it("compares the time itself, because KV keeps a key for at least a minute", async () => {
    const { clock, enqueue, keys } = createQueue();
    await enqueue("a", 20_000);
    await enqueue("a", 20_000);
    expect(keys("job")).toHaveLength(1);
    await clock.advance(20_000);
    await enqueue("a", 20_000);
    expect(keys("job")).toHaveLength(2);
  });
});

describe("cancel on Workers KV", () => {
  it("deletes all keys of a job, also those of duplicates", async () => {
    const { clock, adapter, queue, enqueue, keys } = createQueue();
    await enqueue("a", undefined, 60_000);
    await enqueue("a", undefined, 90_000);
    await enqueue("b", undefined, 60_000);
    expect(keys("job")).toHaveLength(3);
    const cancelling = queue.cancel("a");
    await clock.advance(5000);
    expect(await cancelling).toBe(true);
    expect(keys("job")).toHaveLength(1);
    expect(await queue.find("a")).toBeUndefined();
    await clock.advance(90_000);
    expect(await pullJobs(adapter, 10, 60_000)).toMatchObject([{ id: "b" }]);
  });

  it("returns false for a running job, which stays leased", async () => {
    const { clock, adapter, queue, enqueue } = createQueue();
    await enqueue("a");
    const [job] = await pullJobs(adapter, 1, 60_000);
    expect(await queue.cancel("a")).toBe(false);
    const ending = adapter.ack("a", job?.lease ?? "");
    await clock.advance(5000);
    expect(await ending).toBe(true);
    expect(await queue.cancel("unknown")).toBe(false);
  });

  it("does not run a job while its keys wait for their deletion, nor while a list still has them", async () => {
    const { clock, kv, adapter, queue, enqueue, keys } = createQueue();
    await enqueue("a", undefined, 5000);
    await enqueue("a", undefined, 1000);
    const [first = ""] = keys("job");
    const stale = kv.stored.get(first);
    // KV accepts the deletion of the second key a moment later.
    const enqueued = queue.enqueue("x", null, { id: "a" });
    await enqueued;
    const cancelling = queue.cancel("a");
    await clock.advance(500);
    expect(keys("job")).toHaveLength(3);
    expect(await pullJobs(adapter, 10, 60_000)).toEqual([]);
    await clock.advance(5000);
    expect(await cancelling).toBe(true);
    // A list and a read may be a minute old.
    if (stale !== undefined) kv.stored.set(first, stale);
    await clock.advance(40_000);
    expect(await queue.find("a")).toBeUndefined();
    expect(await pullJobs(adapter, 10, 60_000)).toEqual([]);
  });
});
