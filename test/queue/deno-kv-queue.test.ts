import { describe, expect, it, vi } from "vitest";
import { DenoKvQueueAdapter } from "../../src/platform/deno/kv-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { listenAdapterSuite } from "../../src/testing/listen-adapter-suite.ts";
import { queueSuite } from "../../src/testing/queue-suite.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { listenRequest } from "../support/pull-jobs.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { createDenoKvPair } from "./support/deno-kv-pair.ts";
import { MemoryDenoKv } from "./support/memory-deno-kv.ts";

queueSuite({
  name: "a Deno.Kv in memory",
  describe,
  it,
  quietMs: 100,
  createQueue: () => {
    const adapter = new DenoKvQueueAdapter({ kv: new MemoryDenoKv() });
    return new Queue({ adapter, createJobContext: () => ({}) });
  },
});

listenAdapterSuite({
  name: "a Deno.Kv in memory",
  describe,
  it,
  quietMs: 100,
  createAdapter: () => new DenoKvQueueAdapter({ kv: new MemoryDenoKv() }),
});

function createPair(prefix?: string) {
  const { clock, kv, adapter } = createDenoKvPair(prefix);
  const logger = createRecordingLogger();
  const queue = new Queue({ adapter, clock, logger, createJobContext: () => ({}) });
  const keys = (): unknown[] => [...kv.stored.values()].map(({ key }) => key);
  return { clock, kv, adapter, queue, keys, lines: logger.lines };
}

describe("the adapter of Deno KV", () => {
  it("stores jobs and failed jobs under its prefix", async () => {
    const { queue, clock, keys } = createPair("jobs");
    queue.process("x", () => {
      throw new Error("boom");
    });
    await queue.start();
    await queue.enqueue("x", 1, { id: "one", maxAttempts: 1, delayMs: 10 });
    expect(keys()).toEqual([["jobs", "job", "one"]]);
    await clock.advance(20);
    expect(keys()).toEqual([["jobs", "dead", "one"]]);
    expect(await queue.size()).toBe(0);
    expect(await queue.failed()).toMatchObject([{ id: "one", attempts: 1, error: "boom" }]);
  });

  it("has a name and a prefix", async () => {
    const { queue, keys } = createPair();
    await queue.enqueue("x", 1, { id: "one" });
    expect(keys()).toEqual([["espalier-queue", "job", "one"]]);
    expect(queue.name).toBe("deno-kv");
  });

  it("stores a job whose kept id is deleted between the read and the commit", async () => {
    const { queue, kv, clock, keys } = createPair();
    kv.put(["espalier-queue", "id", "one"], clock.now(), "1");
    const read = kv.get.bind(kv);
    vi.spyOn(kv, "get").mockImplementationOnce(async (key) => {
      const entry = await read<never>(key);
      await kv.delete(key);
      return entry;
    });
    await queue.enqueue("x", 1, { id: "one", keepIdMs: 1000 });
    expect(keys()).toEqual([
      ["espalier-queue", "job", "one"],
      ["espalier-queue", "id", "one"],
    ]);
  });

  it("rejects a payload that the database cannot store", async () => {
    const { queue } = createPair();
    await queue.enqueue("x", "a".repeat(60 * 1024 - 2));
    await expect(queue.enqueue("x", "a".repeat(60 * 1024 - 1))).rejects.toMatchObject({
      code: "ERR_QUEUE_PAYLOAD_TOO_LARGE",
    });
  });

  it("runs a job later than the database can delay a message", async () => {
    const { queue, clock, kv, adapter } = createPair();
    const send = vi.spyOn(kv, "send");
    const day = 24 * 60 * 60 * 1000;
    const start = clock.now();
    const runs: number[] = [];
    queue.process("x", () => void runs.push(clock.now() - start));
    await adapter.listen((job) => queue.run(job), listenRequest());
    await queue.enqueue("x", null, { delayMs: 70 * day });
    await clock.advance(69 * day);
    expect(runs).toEqual([]);
    await clock.advance(2 * day);
    expect(runs).toEqual([70 * day]);
    expect(send.mock.calls.map(([, delayMs]) => delayMs / day)).toEqual([30, 30, 10]);
  });

  it("accepts only messages with its prefix, and each once", async () => {
    const { queue, clock, kv } = createPair();
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.start();
    const id = await queue.enqueue("x", null);
    kv.send(null, 0);
    kv.send("text", 0);
    kv.send({ other: 1 }, 0);
    kv.send({ espalierQueue: "another", id, token: "t" }, 0);
    kv.send({ espalierQueue: "espalier-queue", id, token: "an older one" }, 0);
    kv.send({ espalierQueue: "espalier-queue", id: "gone", token: "t" }, 0);
    await clock.advance(10_000);
    expect(runs).toBe(1);
  });

  it("does not run a job that another process takes at the same time", async () => {
    const { queue, clock, kv, adapter } = createPair();
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.enqueue("x", null, { id: "one" });
    const first = kv.atomic.bind(kv);
    kv.atomic = () => {
      kv.atomic = first;
      // The other process is slightly faster.
      for (const { key, value } of [...kv.stored.values()]) kv.put(key, value, "newer");
      return first();
    };
    await adapter.listen((job) => queue.run(job), listenRequest());
    await clock.advance(10);
    expect(runs).toBe(0);
  });

  it("lets the database deliver a job again if its result could not be stored", async () => {
    const { queue, clock, adapter, lines } = createPair();
    const attempts: number[] = [];
    queue.process("x", (job) => void attempts.push(job.attempt));
    const ack = adapter.ack.bind(adapter);
    adapter.ack = () => Promise.reject(new Error("the database is away"));
    await queue.start();
    await queue.enqueue("x", null);
    await clock.advance(10);
    expect(attempts).toEqual([1]);
    // Storing the result is retried until the lease ends; then the database delivers the job again. It is
    // done in this process, so only its result is stored.
    await clock.advance(45_000);
    adapter.ack = ack;
    await clock.advance(5000);
    expect(attempts).toEqual([1]);
    expect(await queue.size()).toBe(0);
    expect(lines.map(({ message }) => message)).toContain(
      'The result of the job "x" could not be stored; it will be delivered again.',
    );
  });

  it("ignores the result of a lease that another process holds", async () => {
    const { queue, clock, adapter } = createPair();
    const leases: string[] = [];
    await queue.enqueue("x", null, { id: "one" });
    await adapter.listen(async (job) => {
      leases.push(job.lease);
      const late = leases[0] === job.lease ? "another's" : (leases[0] ?? "");
      expect(await adapter.ack("one", late)).toBe(false);
      expect(await adapter.retry("one", late, 0)).toBe(false);
      expect(await adapter.dead("one", late, "late")).toBe(false);
      if (leases.length === 2) expect(await adapter.ack("one", job.lease)).toBe(true);
    }, listenRequest());
    await clock.advance(2000);
    expect(leases).toHaveLength(2);
    expect(await adapter.ack("one", leases[1] ?? "")).toBe(false);
    expect(await queue.size()).toBe(0);
  });

  it("retries a failed job with all its attempts, once", async () => {
    const { queue, clock, adapter } = createPair();
    const attempts: number[] = [];
    queue.process("x", (job) => {
      attempts.push(job.attempt);
      if (attempts.length < 3) throw new Error("not yet");
    });
    await queue.start();
    await queue.enqueue("x", { kept: true }, { id: "one", maxAttempts: 2 });
    await clock.advance(60_000);
    expect(await adapter.retryFailed("unknown")).toBe(false);
    expect(await Promise.all([queue.retryFailed("one"), queue.retryFailed("one")])).toEqual([
      true,
      false,
    ]);
    await clock.advance(10);
    expect(attempts).toEqual([1, 2, 1]);
    expect(await queue.failed()).toEqual([]);
  });

  it("lists at most the requested number of failed jobs", async () => {
    const { queue, clock } = createPair();
    queue.process("x", () => {
      throw new Error("boom");
    });
    await queue.start();
    for (const id of ["a", "b", "c"]) await queue.enqueue("x", null, { id, maxAttempts: 1 });
    await clock.advance(100);
    expect((await queue.failed(2)).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("revives only jobs whose messages the database dropped", async () => {
    const { queue, clock, kv } = createPair();
    const runs: unknown[] = [];
    queue.process("x", (job) => void runs.push(job.payload));
    await queue.enqueue("x", "lost");
    await queue.enqueue("x", "later", { delayMs: 11 * 60_000 });
    // A process that ignores its messages and exits.
    const listening = kv.listenQueue(() => Promise.resolve());
    await clock.advance(10 * 60_000 - 1);
    kv.close();
    await expect(listening).rejects.toThrow("Interrupted");
    await queue.start();
    await clock.advance(0);
    expect(runs).toEqual([]);
    await queue.stop();
    await clock.advance(1);
    await queue.start();
    await clock.advance(0);
    expect(runs).toEqual(["lost"]);
    await clock.advance(60_000);
    expect(runs).toEqual(["lost", "later"]);
  });

  it("listens once, and again after the database was closed", async () => {
    const clock = new FakeClock();
    const kv = new MemoryDenoKv(clock);
    let openings = 0;
    const open = async () => {
      openings += 1;
      return kv;
    };
    const adapter = new DenoKvQueueAdapter({ kv: open, clock });
    expect(openings).toBe(0);
    await adapter.close();
    expect([openings, kv.closes]).toEqual([0, 0]);
    const ran: string[] = [];
    await adapter.listen(async ({ id }) => void ran.push(`first ${id}`), listenRequest());
    await adapter.listen(async ({ id, lease }) => {
      ran.push(`second ${id}`);
      await adapter.ack(id, lease);
    }, listenRequest());
    expect([openings, kv.listens]).toEqual([1, 1]);
    const queue = new Queue({ adapter, clock, createJobContext: () => ({}) });
    await queue.enqueue("x", null, { id: "one" });
    await clock.advance(10);
    expect(ran).toEqual(["second one"]);
    await adapter.close();
    expect(kv.closes).toBe(1);
    await adapter.listen(async () => {}, listenRequest());
    expect([openings, kv.listens]).toEqual([2, 2]);
  });

  it("postpones jobs delivered while it is stopped, and does not close a given database", async () => {
    const { queue, clock, kv } = createPair();
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.start();
    await queue.enqueue("x", null, { delayMs: 1000 });
    await queue.stop();
    expect(kv.closes).toBe(0);
    await clock.advance(2000);
    expect(runs).toBe(0);
    await queue.start();
    await clock.advance(3999);
    expect(runs).toBe(0);
    await clock.advance(1);
    expect(runs).toBe(1);
  });
});
