import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvNamespace } from "../../src/platform/cloudflare/kv-types.ts";
import { parseJobKey } from "../../src/platform/cloudflare/queue-job-keys.ts";
import { Queue } from "../../src/queue/queue.ts";
import { leaseMs } from "./extra-runs.ts";

/** The worker that is killed: enqueues and drains jobs, and records each run persistently. */
interface Env {
  readonly QUEUE_KV: KvNamespace;
  /** Records of the handler: one key per run with its start time, and one per completed job. */
  readonly NOTES: KvNamespace;
}

interface Invocation {
  waitUntil(work: Promise<unknown>): void;
}

let queue: Queue | undefined;
let invocation: Invocation | undefined;

function getQueue(env: Env): Queue {
  if (queue !== undefined) return queue;
  queue = new Queue({
    adapter: new KvQueueAdapter({ namespace: env.QUEUE_KV }),
    createJobContext: () => ({}),
    background: (work) => invocation?.waitUntil(work),
    // Short, so that leased jobs are soon due again after a kill; long enough for a machine under load.
    leaseMs,
  });
  queue.process(
    "work",
    async (job) => {
      const number = job.payload as number;
      await env.NOTES.put(`run/${job.id}/${Date.now()}/${crypto.randomUUID()}`, "1");
      await new Promise((resolve) => setTimeout(resolve, 5 + (number % 10) * 3));
      if (number % 20 === 0) throw new Error("always");
      if (number % 7 === 0 && job.attempt === 1) throw new Error("the first time");
      await env.NOTES.put(`done/${job.id}`, "1");
    },
    { concurrency: 20 },
  );
  return queue;
}

async function keys(kv: KvNamespace, prefix: string): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await kv.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    names.push(...page.keys.map(({ name }) => name.slice(prefix.length)));
    cursor = page.list_complete ? undefined : page.cursor;
  } while (cursor !== undefined);
  return names;
}

export default {
  async fetch(request: Request, env: Env, context: Invocation): Promise<Response> {
    invocation = context;
    const { pathname, searchParams } = new URL(request.url);
    const jobs = getQueue(env);
    if (pathname === "/enqueue") {
      const [first, count] = [Number(searchParams.get("first")), Number(searchParams.get("count"))];
      const numbers = Array.from({ length: count }, (_, index) => first + index);
      const backoff = { type: "fixed", delayMs: 200 } as const;
      const enqueue = (number: number): Promise<string> =>
        jobs.enqueue("work", number, { id: `job-${number}`, maxAttempts: 5, backoff });
      return Response.json(await Promise.all(numbers.map(enqueue)));
    }
    if (pathname === "/drain") return Response.json(await jobs.drain({ max: 150 }));
    const [done, runs, failed, pending, states] = await Promise.all([
      keys(env.NOTES, "done/"),
      keys(env.NOTES, "run/"),
      jobs.failed(),
      jobs.size(),
      keys(env.QUEUE_KV, "queue/job/"),
    ]);
    const inFlight = states.flatMap((state) => {
      const key = parseJobKey(state);
      return key?.state === "leased" ? [key.id] : [];
    });
    return Response.json({ done, runs, inFlight, dead: failed.map(({ id }) => id), pending });
  },
};
