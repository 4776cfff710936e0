import { DurableObjectQueueAdapter } from "../../src/platform/cloudflare/durable-object-queue-adapter.ts";
import type { ObjectNamespace } from "../../src/platform/cloudflare/durable-object-types.ts";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvNamespace } from "../../src/platform/cloudflare/kv-types.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { KilledQueue, type Notes } from "./killed-queue.ts";

export { QueueDurableObject } from "../../src/platform/cloudflare/queue-durable-object.ts";

/** The worker that is killed. */
interface Env {
  readonly DRIVER: "kv" | "durable-object";
  readonly QUEUE_KV: KvNamespace;
  readonly QUEUE_OBJECT: ObjectNamespace;
  readonly NOTES: KvNamespace;
}

interface Invocation {
  waitUntil(work: Promise<unknown>): void;
}

let queue: KilledQueue | undefined;
// Bindings and contexts belong to an invocation.
let env: Env;
let invocation: Invocation;

export default {
  fetch(request: Request, currentEnv: Env, context: Invocation): Promise<Response> {
    env = currentEnv;
    invocation = context;
    queue ??= new KilledQueue({
      adapter: createAdapter(),
      notes: notesOn(() => env.NOTES),
      work: (jobs) => jobs.drain({ max: 150 }),
      background: (work) => invocation.waitUntil(work),
    });
    return queue.respond(request);
  },
};

function createAdapter(): QueueAdapter {
  return env.DRIVER === "kv"
    ? new KvQueueAdapter({ namespace: () => env.QUEUE_KV })
    : new DurableObjectQueueAdapter({ namespace: () => env.QUEUE_OBJECT });
}

function notesOn(getKv: () => KvNamespace): Notes {
  return {
    put: (key) => getKv().put(key, "1"),
    async list(prefix) {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await getKv().list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
        names.push(...page.keys.map(({ name }) => name.slice(prefix.length)));
        cursor = page.list_complete ? undefined : page.cursor;
      } while (cursor !== undefined);
      return names;
    },
  };
}
