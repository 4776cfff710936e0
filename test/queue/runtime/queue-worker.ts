import { CloudflareQueuesAdapter } from "../../../src/platform/cloudflare/cloudflare-queues-adapter.ts";
import { DurableObjectQueueAdapter } from "../../../src/platform/cloudflare/durable-object-queue-adapter.ts";
import type { ObjectNamespace } from "../../../src/platform/cloudflare/durable-object-types.ts";
import { KvQueueAdapter } from "../../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvNamespace } from "../../../src/platform/cloudflare/kv-types.ts";
import type { QueueBatch, QueueProducer } from "../../../src/platform/cloudflare/queue-types.ts";
import { Queue } from "../../../src/queue/queue.ts";
import { listenAdapterSuite } from "../../../src/testing/listen-adapter-suite.ts";
import { queueAdapterSuite } from "../../../src/testing/queue-adapter-suite.ts";
import { queueSuite } from "../../../src/testing/queue-suite.ts";
import { createCollectingRunner } from "./collecting-runner.ts";
import { ListeningQueues } from "./listening-queues.ts";

export { QueueDurableObject } from "../../../src/platform/cloudflare/queue-durable-object.ts";

interface Env {
  readonly OBJECT: ObjectNamespace;
  readonly KV: KvNamespace;
  readonly JOBS: QueueProducer;
}

/** Handles the messages of the consumer, in the current test. */
let handleBatch: ((batch: QueueBatch) => Promise<void>) | undefined;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const runner = createCollectingRunner();
    const createJobContext = () => ({});
    if (pathname === "/kv") {
      const prefix = () => `${crypto.randomUUID()}/`;
      // The local KV accepts more than one write a second to a key.
      const createAdapter = () =>
        new KvQueueAdapter({ namespace: env.KV, prefix: prefix(), writeIntervalMs: 0 });
      queueAdapterSuite({ ...runner, name: "cloudflare-kv", createAdapter });
      queueSuite({
        ...runner,
        name: "cloudflare-kv",
        createQueue: () => new Queue({ adapter: createAdapter(), createJobContext }),
        tick: async (queue) => {
          await queue.drain({ budgetMs: 1000 });
          await new Promise((resolve) => setTimeout(resolve, 50));
        },
      });
    } else if (pathname === "/object") {
      const createAdapter = () =>
        new DurableObjectQueueAdapter({ namespace: env.OBJECT, name: crypto.randomUUID() });
      const name = "cloudflare-durable-object";
      queueAdapterSuite({ ...runner, name, createAdapter });
      queueSuite({
        ...runner,
        name,
        createQueue: () => new Queue({ adapter: createAdapter(), createJobContext }),
      });
    } else if (pathname === "/deliveries") {
      listenAdapterSuite({
        ...runner,
        name: "cloudflare-queues",
        mergesEqualIds: false,
        // A message that is given back comes after five seconds.
        patienceMs: 30_000,
        createAdapter: () => {
          const prefix = `${crypto.randomUUID()}/`;
          const adapter = new ListeningQueues({ producer: env.JOBS, namespace: env.KV, prefix });
          handleBatch = (batch) => adapter.deliver(batch);
          return adapter;
        },
      });
    } else {
      const adapter = new CloudflareQueuesAdapter({ producer: env.JOBS, namespace: env.KV });
      let current: Queue | undefined;
      handleBatch = (batch) =>
        adapter.handleBatch(batch, (job) => current?.run(job) ?? Promise.resolve());
      queueSuite({
        ...runner,
        name: "cloudflare-queues",
        mergesEqualIds: false,
        quietMs: 1500,
        createQueue: () => {
          current = new Queue({ adapter, createJobContext });
          return current;
        },
      });
    }
    return Response.json(await runner.run());
  },

  async queue(batch: QueueBatch): Promise<void> {
    await handleBatch?.(batch);
  },
};
