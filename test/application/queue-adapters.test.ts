import { Application, MemoryQueueAdapter, type QueueAdapter } from "espalier";
import { BullmqQueueAdapter } from "espalier/bullmq";
import {
  CloudflareQueuesAdapter,
  DurableObjectQueueAdapter,
  KvQueueAdapter,
} from "espalier/cloudflare";
import { DenoKvQueueAdapter } from "espalier/deno";
import { PostgresQueueAdapter } from "espalier/postgres";
import { createFakeQueue } from "espalier/testing";
import { expect, test } from "vitest";

// No adapter calls its engine before the first job.
const unused = (): never => {
  throw new Error("The engine must not be called.");
};

test.each<[string, QueueAdapter]>([
  ["PostgresQueueAdapter", new PostgresQueueAdapter({ client: unused })],
  ["BullmqQueueAdapter", new BullmqQueueAdapter({ connection: {} })],
  ["CloudflareQueuesAdapter", new CloudflareQueuesAdapter({ producer: unused })],
  ["DurableObjectQueueAdapter", new DurableObjectQueueAdapter({ namespace: unused })],
  ["KvQueueAdapter", new KvQueueAdapter({ namespace: unused })],
  ["DenoKvQueueAdapter", new DenoKvQueueAdapter({ kv: unused })],
  ["MemoryQueueAdapter", new MemoryQueueAdapter()],
  ["FakeQueue", createFakeQueue()],
])("useQueue() accepts %s", (_name, adapter) => {
  const app = new Application();
  expect(app.useQueue(adapter)).toBe(app);
});
