import { describe, expect, it } from "vitest";
import { CloudflareQueuesAdapter } from "../../src/platform/cloudflare/cloudflare-queues-adapter.ts";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { copyPayload } from "../../src/queue/payload.ts";
import { Queue } from "../../src/queue/queue.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { countPending } from "../support/pull-jobs.ts";
import { MemoryKv } from "./support/memory-kv.ts";

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
let deep: unknown = null;
for (let level = 0; level < 200_000; level++) deep = [deep];

const refused: [title: string, payload: unknown, message: RegExp][] = [
  ["undefined", undefined, /is undefined; pass null/],
  ["a function", () => 1, /payload is a function/],
  ["a symbol", Symbol("s"), /payload is a symbol/],
  ["a BigInt", { id: 1n }, /BigInt/],
  ["a cycle", cyclic, /circular|cyclic/i],
  ["a nested function", { a: [{ b() {} }] }, /payload\.a\[0\]\.b is a function/],
  ["undefined in an array", [1, undefined], /payload\[1\] is undefined/],
  ["a hole in an array", new Array(2), /payload\[0\] is undefined/],
  ["NaN", { n: Number.NaN }, /payload\.n is NaN/],
  ["Infinity", [Number.POSITIVE_INFINITY], /payload\[0\] is Infinity/],
  ["a Map", { m: new Map() }, /payload\.m is an instance of Map/],
  ["bytes", new Uint8Array(2), /instance of Uint8Array/],
  ["a class instance", new (class User {})(), /instance of User; pass plain data/],
  ["an Error", new Error("x"), /instance of Error/],
  [
    "a toJSON that throws",
    {
      toJSON() {
        throw new Error("no json here");
      },
    },
    /no json here/,
  ],
  ["a depth that no stack has", deep, /is not JSON/],
];

const drivers: [name: string, create: () => { adapter: QueueAdapter; count: () => unknown }][] = [
  [
    "memory",
    () => {
      const adapter = new MemoryQueueAdapter();
      return { adapter, count: () => countPending(adapter) };
    },
  ],
  [
    "cloudflare-kv",
    () => {
      const namespace = new MemoryKv();
      return { adapter: new KvQueueAdapter({ namespace }), count: () => namespace.stored.size };
    },
  ],
  [
    "cloudflare-queues",
    () => {
      const sent: unknown[] = [];
      const producer = {
        send: async (body: unknown) => void sent.push(body),
        sendBatch: async () => {},
      };
      return { adapter: new CloudflareQueuesAdapter({ producer }), count: () => sent.length };
    },
  ],
];

describe.each(drivers)("a payload for %s", (_name, create) => {
  it.each(refused)("is rejected if it is %s", async (_title, payload, message) => {
    const { adapter, count } = create();
    const queue = new Queue({ adapter, createJobContext: () => ({}) });
    await expect(queue.enqueue("x", payload)).rejects.toMatchObject({
      code: "ERR_QUEUE_PAYLOAD_NOT_JSON",
      message: expect.stringMatching(message),
    });
    expect(await count()).toBe(0);
  });
});

describe("a payload that is too large", () => {
  it.each([
    ["cloudflare-kv", 25 * 1024 * 1024 - 8192],
    ["cloudflare-queues", 125_852],
  ])("is rejected by %s from %i bytes", async (name, limit) => {
    const create = drivers.find(([driver]) => driver === name)?.[1];
    if (create === undefined) throw new Error(`no driver ${name}`);
    const { adapter, count } = create();
    const queue = new Queue({ adapter, createJobContext: () => ({}) });
    await expect(queue.enqueue("x", "a".repeat(limit - 1))).rejects.toMatchObject({
      code: "ERR_QUEUE_PAYLOAD_TOO_LARGE",
    });
    // Counted as UTF-8: a third of the length is enough.
    await expect(queue.enqueue("x", "日".repeat(Math.ceil(limit / 3)))).rejects.toMatchObject({
      code: "ERR_QUEUE_PAYLOAD_TOO_LARGE",
    });
    expect(await count()).toBe(0);
    await queue.enqueue("x", "a".repeat(limit - 2));
    expect(await count()).toBe(1);
  });
});

describe("an accepted payload", () => {
  it("omits undefined properties and respects toJSON, as JSON does", () => {
    const payload = { a: undefined, at: new Date(0), b: [null, true], n: Object.create(null) };
    expect(copyPayload("x", payload, undefined)).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      b: [null, true],
      n: {},
    });
  });

  it("is safe with names such as __proto__", () => {
    const payload: unknown = JSON.parse('{"__proto__":{"admin":true}}');
    const copy = copyPayload("x", payload, undefined) as { admin?: boolean };
    expect(copy.admin).toBeUndefined();
    expect(Object.hasOwn(copy, "__proto__")).toBe(true);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it("never shows its content in an error", async () => {
    const queue = new Queue({ adapter: new MemoryQueueAdapter(), createJobContext: () => ({}) });
    const error: unknown = await queue
      .enqueue("x", { token: "s3cret", f() {} })
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("payload.f is a function");
    expect(String(error)).not.toContain("s3cret");
  });
});
