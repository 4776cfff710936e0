import { describe, expect, it } from "vitest";
import { CloudflareQueuesAdapter } from "../../src/platform/cloudflare/cloudflare-queues-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { FakeClock } from "../support/fake-clock.ts";

const limitBytes = 256_000;
/** Bytes that the platform adds to each message, at most. */
const overheadBytes = 150;

const sizeOf = (body: unknown): number =>
  new TextEncoder().encode(JSON.stringify(body)).length + overheadBytes;

/** Enqueues payloads at once, and returns the bodies of each call of the producer, and the jobs' ids. */
async function enqueueAll(
  payloads: readonly unknown[],
): Promise<{ calls: unknown[][]; ids: string[] }> {
  const calls: unknown[][] = [];
  const adapter = new CloudflareQueuesAdapter({
    producer: {
      send: async (body) => void calls.push([body]),
      sendBatch: async (messages) => void calls.push([...messages].map(({ body }) => body)),
    },
    clock: new FakeClock(),
  });
  const queue = new Queue({ adapter, createJobContext: () => ({}), clock: new FakeClock() });
  const ids = await queue.enqueueMany(payloads.map((payload) => ({ name: "x", payload })));
  return { calls, ids };
}

describe("the batches of Cloudflare Queues", () => {
  it("have at most 100 messages, in order", async () => {
    const { calls, ids } = await enqueueAll(Array.from({ length: 250 }, (_, index) => index));
    expect(calls.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(calls.flat().map((body) => Reflect.get(body as object, "id"))).toEqual(ids);
  });

  it.each([
    ["ASCII", "a", 1],
    ["bytes, not characters", "\u20ac", 3],
  ])("are filled up to 256 KB: %s", async (_name, character, bytes) => {
    const { calls } = await enqueueAll([""]);
    const empty = calls[0]?.[0];
    // Ten such messages have 256,000 bytes with the overhead of each: one byte more is one message too many.
    const length = Math.floor((limitBytes / 10 - sizeOf(empty)) / bytes);
    const fits = await enqueueAll(Array.from({ length: 10 }, () => character.repeat(length)));
    const exceeds = await enqueueAll(
      Array.from({ length: 10 }, () => character.repeat(length + 1)),
    );
    expect(fits.calls.map((batch) => batch.length)).toEqual([10]);
    expect(exceeds.calls.map((batch) => batch.length)).toEqual([9, 1]);
    for (const batch of [...fits.calls, ...exceeds.calls]) {
      expect(batch.reduce<number>((sum, body) => sum + sizeOf(body), 0)).toBeLessThanOrEqual(
        limitBytes,
      );
    }
  });

  it("count again from the message that begins a batch", async () => {
    const large = "a".repeat(100_000);
    const { calls } = await enqueueAll([large, large, large, 1, 2, large]);
    expect(calls.map((batch) => batch.length)).toEqual([2, 4]);
  });
});
