import { describe, expect, it } from "vitest";
import {
  CloudflareQueuesAdapter,
  type CloudflareQueuesAdapterOptions,
} from "../../src/platform/cloudflare/cloudflare-queues-adapter.ts";
import type { QueueMessage } from "../../src/platform/cloudflare/queue-types.ts";
import { Queue } from "../../src/queue/queue.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { MemoryKv } from "./support/memory-kv.ts";

type Sent = { readonly body: unknown; readonly delaySeconds: number | undefined };

function createEngine(options: Partial<CloudflareQueuesAdapterOptions> = {}) {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const batches: number[] = [];
  const outcomes: string[] = [];
  const adapter = new CloudflareQueuesAdapter({
    producer: {
      send: async (body, o) => void sent.push({ body, delaySeconds: o?.delaySeconds }),
      async sendBatch(messages) {
        const batch = [...messages];
        batches.push(batch.length);
        for (const { body, delaySeconds } of batch) sent.push({ body, delaySeconds });
      },
    },
    clock,
    ...options,
  });
  const queue = new Queue({ adapter, clock, random: () => 0.5, createJobContext: () => ({}) });
  const message = (id: string, body: unknown, attempts = 1): QueueMessage => ({
    id,
    body,
    attempts,
    ack: () => void outcomes.push(`${id} ack`),
    retry: (o) => void outcomes.push(`${id} retry ${o?.delaySeconds ?? "-"}`),
  });
  const deliver = (messages: QueueMessage[], name = "jobs") =>
    adapter.handleBatch({ queue: name, messages }, (job) => queue.run(job));
  const bodyOf = (index: number): unknown => structuredClone(sent[index]?.body);
  return { adapter, queue, clock, sent, batches, outcomes, message, deliver, bodyOf };
}

describe("the adapter of Cloudflare Queues", () => {
  it("acknowledges each message of a batch separately", async () => {
    const { queue, outcomes, message, deliver, bodyOf } = createEngine();
    queue.process("x", (job) => {
      if (job.payload === "bad") throw new Error("bad");
      if (job.payload === "later") job.retry(1500);
    });
    for (const payload of ["good", "bad", "later"]) await queue.enqueue("x", payload);
    await deliver([message("a", bodyOf(0)), message("b", bodyOf(1)), message("c", bodyOf(2))]);
    expect(outcomes.toSorted()).toEqual(["a ack", "b retry 1", "c retry 2"]);
  });

  it("counts attempts by deliveries, and stores the failed job in KV", async () => {
    const namespace = new MemoryKv();
    const { queue, sent, outcomes, message, deliver, bodyOf } = createEngine({ namespace });
    const attempts: number[] = [];
    queue.process("x", (job) => {
      attempts.push(job.attempt);
      throw new Error("boom");
    });
    const id = await queue.enqueue("x", { n: 1 }, { maxAttempts: 2 });
    await deliver([message("a", bodyOf(0), 1)]);
    await deliver([message("a", bodyOf(0), 2)]);
    expect(attempts).toEqual([1, 2]);
    expect(outcomes).toEqual(["a retry 1", "a ack"]);
    expect(await queue.failed()).toMatchObject([
      { id, name: "x", payload: { n: 1 }, attempts: 2, error: "boom" },
    ]);
    expect(await queue.retryFailed(id)).toBe(true);
    expect(sent).toHaveLength(2);
    expect(await queue.failed()).toEqual([]);
    await deliver([message("b", bodyOf(1), 1)]);
    expect(attempts).toEqual([1, 2, 1]);
  });

  it("without KV, leaves a failed job to the dead-letter queue and does not run it again", async () => {
    const { queue, outcomes, message, deliver, bodyOf } = createEngine();
    let runs = 0;
    queue.process("x", () => {
      runs += 1;
      throw new Error("boom");
    });
    await queue.enqueue("x", 1, { maxAttempts: 1 });
    await deliver([message("a", bodyOf(0), 1)]);
    await deliver([message("a", bodyOf(0), 2)]);
    expect(runs).toBe(1);
    expect(outcomes).toEqual(["a retry -", "a retry -"]);
    expect(await queue.failed()).toEqual([]);
  });

  it("stores jobs that the platform moved to the dead-letter queue", async () => {
    const namespace = new MemoryKv();
    const { queue, outcomes, message, deliver, bodyOf } = createEngine({ namespace });
    let runs = 0;
    queue.process("x", () => void runs++);
    const id = await queue.enqueue("x", 7);
    await deliver([message("a", bodyOf(0)), message("b", "not ours")], "jobs-dlq");
    expect(runs).toBe(0);
    expect(outcomes.toSorted()).toEqual(["a ack", "b retry -"]);
    expect(await queue.failed()).toMatchObject([{ id, payload: 7, attempts: 3 }]);
  });

  it("recognises the dead-letter queue by its configured name", async () => {
    const namespace = new MemoryKv();
    const engine = createEngine({ namespace, deadLetterQueue: "graveyard" });
    const runs: unknown[] = [];
    engine.queue.process("x", (job) => void runs.push(job.payload));
    await engine.queue.enqueue("x", 1);
    await engine.deliver([engine.message("a", engine.bodyOf(0))], "jobs-dlq");
    expect(runs).toEqual([1]);
    expect(await engine.queue.failed()).toEqual([]);
    await engine.deliver([engine.message("b", engine.bodyOf(0))], "graveyard");
    expect(runs).toEqual([1]);
    expect(await engine.queue.failed()).toHaveLength(1);
  });

  it("retries a message that is not a job, and one whose result cannot be stored", async () => {
    const namespace = new MemoryKv();
    namespace.put = () => Promise.reject(new Error("KV is away"));
    const { queue, clock, outcomes, message, deliver, bodyOf } = createEngine({ namespace });
    queue.process("x", () => {
      throw new Error("boom");
    });
    await queue.enqueue("x", 1, { maxAttempts: 1 });
    const done = deliver([message("a", bodyOf(0)), message("b", { hello: 1 }), message("c", null)]);
    await clock.advance(60_000);
    await done;
    expect(outcomes.toSorted()).toEqual(["a retry -", "b retry -", "c retry -"]);
  });

  it("re-sends a delay beyond twelve hours, without using up attempts", async () => {
    const { queue, clock, sent, outcomes, message, deliver, bodyOf } = createEngine();
    const attempts: number[] = [];
    queue.process("x", (job) => {
      attempts.push(job.attempt);
      if (job.attempt === 1) job.retry(13 * 60 * 60 * 1000);
    });
    await queue.enqueue("x", 1, { delayMs: 20 * 60 * 60 * 1000 });
    expect(sent[0]?.delaySeconds).toBe(43_200);
    await clock.advance(43_200_000);
    await deliver([message("a", bodyOf(0))]);
    expect([attempts, outcomes, sent[1]?.delaySeconds]).toEqual([[], ["a ack"], 28_800]);
    await clock.advance(28_800_000);
    await deliver([message("b", bodyOf(1))]);
    expect([attempts, outcomes.at(-1), sent[2]?.delaySeconds]).toEqual([[1], "b ack", 43_200]);
    await clock.advance(43_200_000);
    await deliver([message("c", bodyOf(2))]);
    await clock.advance(3_600_000);
    await deliver([message("d", bodyOf(3))]);
    expect(attempts).toEqual([1, 2]);
  });

  it("sends a job that is given back as a new message, with the attempts it had", async () => {
    const { queue, clock, sent, outcomes, message, deliver, bodyOf } = createEngine();
    const attempts: number[] = [];
    queue.process("x", (job) => void attempts.push(job.attempt));
    await queue.enqueue("x", 1);
    await queue.stopWorker();
    await deliver([message("a", bodyOf(0))]);
    expect([attempts, outcomes]).toEqual([[], ["a ack"]]);
    await queue.start();
    expect(sent[1]?.delaySeconds).toBe(5);
    await clock.advance(5000);
    await deliver([message("b", bodyOf(1))]);
    expect([attempts, outcomes]).toEqual([[1], ["a ack", "b ack"]]);
    await queue.stop();
  });

  it("ignores the end of a job whose message was given back to the platform", async () => {
    const { adapter, queue, outcomes, message, bodyOf } = createEngine();
    await queue.enqueue("x", 1, { id: "late" });
    let lease = "";
    await adapter.handleBatch(
      { queue: "jobs", messages: [message("a", bodyOf(0))] },
      async (job) => {
        lease = job.lease;
      },
    );
    expect(outcomes).toEqual(["a retry -"]);
    expect(await adapter.ack("late", lease)).toBe(false);
    expect(outcomes).toEqual(["a retry -"]);
  });

  it("does not run a job that was delivered more often than it has attempts", async () => {
    const { queue, message, deliver, bodyOf } = createEngine({ namespace: new MemoryKv() });
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.enqueue("x", 1, { maxAttempts: 2 });
    await deliver([message("a", bodyOf(0), 5)]);
    expect(runs).toBe(0);
    expect(await queue.failed()).toMatchObject([{ attempts: 2 }]);
  });

  it("treats equal ids of a batch as one job", async () => {
    const { queue, outcomes, message, deliver, bodyOf } = createEngine();
    let runs = 0;
    queue.process("x", () => void runs++);
    await queue.enqueue("x", 1, { id: "same" });
    await queue.enqueue("x", 2, { id: "same" });
    await deliver([message("a", bodyOf(0)), message("b", bodyOf(1))]);
    expect(runs).toBe(1);
    expect(outcomes).toEqual(["a ack", "b ack"]);
  });
});
