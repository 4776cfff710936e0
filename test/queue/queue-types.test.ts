import type { Queue as CloudflareQueue, MessageBatch } from "@cloudflare/workers-types";
import { describe, expectTypeOf, it } from "vitest";
import type { QueueBatch, QueueProducer } from "../../src/platform/cloudflare/queue-types.ts";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";

describe("the types of the queue", () => {
  it("accept Cloudflare's official types", () => {
    expectTypeOf<CloudflareQueue>().toExtend<QueueProducer>();
    expectTypeOf<MessageBatch>().toExtend<QueueBatch>();
  });

  it("infer the payload of each declared job", () => {
    interface Jobs {
      "mail.send": { to: string };
    }
    const options = {
      adapter: new MemoryQueueAdapter(),
      createJobContext: () => ({ env: { region: "eu" } }),
    };
    const queue = new Queue<Jobs, { env: { region: string } }>(options);
    queue.process("mail.send", (job, { env, signal }) => {
      expectTypeOf(job.payload).toEqualTypeOf<{ to: string }>();
      expectTypeOf(env.region).toEqualTypeOf<string>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    });
    // @ts-expect-error an undeclared job
    const unknownJob = (): unknown => queue.enqueue("mail.sent", { to: "a@example.org" });
    // @ts-expect-error a payload of another type
    const wrongPayload = (): unknown => queue.enqueue("mail.send", { from: 1 });
    expectTypeOf([unknownJob, wrongPayload]).toExtend<(() => unknown)[]>();
  });

  it("accept any name and payload without declarations", () => {
    const queue = new Queue({ adapter: new MemoryQueueAdapter(), createJobContext: () => ({}) });
    queue.process("anything", (job) => {
      expectTypeOf(job.payload).toEqualTypeOf<unknown>();
    });
    const enqueue = (): Promise<string> => queue.enqueue("anything", 1);
    expectTypeOf(enqueue).returns.resolves.toBeString();
  });
});
