import type { KVNamespace } from "@cloudflare/workers-types";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DurableObjectQueueAdapter } from "../../src/platform/cloudflare/durable-object-queue-adapter.ts";
import type { SqlValue } from "../../src/platform/cloudflare/durable-object-types.ts";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvNamespace } from "../../src/platform/cloudflare/kv-types.ts";
import { QueueDurableObject } from "../../src/platform/cloudflare/queue-durable-object.ts";
import { DenoKvQueueAdapter } from "../../src/platform/deno/kv-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { type KvMiniflare, startKvMiniflare } from "../cache/support/kv-miniflare.ts";
import { createNamespace, hasSqlite } from "../platform/cloudflare/support/object-state.ts";
import { MemoryDenoKv } from "./support/memory-deno-kv.ts";

const createQueue = (adapter: QueueAdapter): Queue =>
  new Queue({ adapter, createJobContext: () => ({}) });

describe("operations of Workers KV for an enqueue", () => {
  let server: KvMiniflare;
  let kv: KvNamespace;
  let operations: string[];

  beforeAll(async () => {
    server = await startKvMiniflare();
    const real = (await server.miniflare.getKVNamespace("KV")) as unknown as KVNamespace;
    operations = [];
    const count =
      (name: keyof KVNamespace) =>
      async (key: string, ...rest: unknown[]) => {
        operations.push(`${name} ${key.split("/")[1]}`);
        // The arguments are those that the adapter gives to the namespace.
        return await Reflect.apply(real[name], real, [key, ...rest]);
      };
    kv = {
      get: count("get"),
      put: count("put"),
      delete: count("delete"),
      list: count("list"),
    } as never;
  }, 60_000);
  afterAll(async () => {
    await server?.dispose();
  });

  it("is one write for a generated id, also of many jobs", async () => {
    const queue = createQueue(new KvQueueAdapter({ namespace: kv }));
    await queue.enqueue("x", 1);
    await queue.enqueueMany([1, 2].map((payload) => ({ name: "x", payload })));
    expect(operations).toEqual(["put job", "put job", "put job"]);
  });

  it("is also one read for an id that the caller has chosen, whatever it looks like", async () => {
    const queue = createQueue(new KvQueueAdapter({ namespace: kv }));
    const id = crypto.randomUUID();
    operations.length = 0;
    await queue.enqueue("x", 1, { id, keepIdMs: 60_000 });
    await queue.enqueue("x", 2, { id });
    expect(operations).toEqual(["get id", "put job", "put id", "get id"]);
  });
});

describe("operations of Deno KV for an enqueue", () => {
  it("is one transaction, and a read only for an id that the caller has chosen", async () => {
    const kv = new MemoryDenoKv();
    const reads: unknown[] = [];
    const get = kv.get.bind(kv);
    kv.get = async (key) => {
      reads.push(key);
      return await get(key);
    };
    const queue = createQueue(new DenoKvQueueAdapter({ kv, prefix: "jobs" }));
    await queue.enqueue("x", 1);
    expect(reads).toEqual([]);
    await queue.enqueue("x", 2, { id: "mine" });
    expect(reads).toEqual([["jobs", "id", "mine"]]);
    expect([...kv.stored.values()].map(({ value }) => value)).not.toContainEqual(
      expect.objectContaining({ hasGeneratedId: true }),
    );
  });
});

describe.skipIf(!hasSqlite)("statements of a queue's Durable Object for an enqueue", () => {
  it("is one insertion, and a read only for an id that the caller has chosen", async () => {
    const { namespace, states } = createNamespace(QueueDurableObject);
    const queue = createQueue(new DurableObjectQueueAdapter({ namespace }));
    await queue.enqueue("x", 0);
    const storage = states.get("queue")?.state.storage;
    if (storage === undefined) throw new Error("The object was not created.");
    const statements: string[] = [];
    const exec = storage.sql.exec.bind(storage.sql);
    storage.sql.exec = (query: string, ...bindings: SqlValue[]) => {
      statements.push(query.split(" ").slice(0, 3).join(" "));
      return exec(query, ...bindings);
    };
    const enqueue = async (options: { readonly id?: string }): Promise<readonly string[]> => {
      statements.length = 0;
      await queue.enqueue("x", 1, options);
      // The other statements look for the time of the next alarm.
      return statements.filter((statement) => !/^SELECT m(ax|in)/.test(statement));
    };
    expect(await enqueue({})).toEqual(["INSERT OR IGNORE"]);
    expect(await enqueue({ id: "mine" })).toEqual(["SELECT 1 FROM", "INSERT OR IGNORE"]);
    expect(await enqueue({ id: "mine" })).toEqual(["SELECT 1 FROM", "INSERT OR IGNORE"]);
    expect(await queue.size()).toBe(3);
  });
});
