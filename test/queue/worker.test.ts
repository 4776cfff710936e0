import { Application, text } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
import { QueueCapability } from "../../src/application/capabilities/queue.ts";
import { resolveServiceOptions } from "../../src/application/service-options.ts";
import { DenoKvCacheStore } from "../../src/platform/deno/kv-cache-store.ts";
import { createCapabilityRuntime } from "../application/support/capability-runtime.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { MemoryDenoKv } from "./support/memory-deno-kv.ts";
import { MemoryKv } from "./support/memory-kv.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An invocation of a Worker, with its waitUntil promises. */
function createInvocation() {
  const work: Promise<unknown>[] = [];
  return { waitUntil: (promise: Promise<unknown>) => void work.push(promise), work };
}

function createWorker() {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const ran: unknown[] = [];
  app.getQueue().process("note", (job, { env }) => {
    ran.push([job.payload, (env as { NAME?: string }).NAME]);
  });
  app.getRouter().post("/:delay", async (ctx) => {
    const delayMs = Number(ctx.params.delay);
    await app.getQueue().enqueue("note", delayMs, { delayMs });
    return text("queued", 202);
  });
  app.getRouter().get("/", () => text("fine"));
  return { app, worker: app.worker(), ran, lines: logger.lines };
}

const post = (delayMs: number): Request =>
  new Request(`http://localhost/${delayMs}`, { method: "POST" });

describe("a worker whose jobs are in KV", () => {
  test("runs due jobs after later requests, every five seconds", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    const { worker, ran } = createWorker();
    const env = { KV: new MemoryKv(), NAME: "first" };
    const request = async (one: Request): Promise<void> => {
      const invocation = createInvocation();
      expect((await worker.fetch(one, env, invocation)).ok).toBe(true);
      await vi.advanceTimersByTimeAsync(100);
    };
    await request(post(3_700_000));
    await request(post(0));
    expect(ran).toEqual([[0, "first"]]);
    await vi.advanceTimersByTimeAsync(3_700_000);
    expect(ran).toHaveLength(1);
    await request(new Request("http://localhost/"));
    expect(ran).toEqual([
      [0, "first"],
      [3_700_000, "first"],
    ]);
  });

  test("runs them in a cron trigger, with the trigger's environment", async () => {
    const { app, worker, ran, lines } = createWorker();
    const swept: unknown[] = [];
    app.schedule("0 3 * * *", ({ cron, scheduledTime }) => void swept.push([cron, scheduledTime]));
    const env = { KV: new MemoryKv(), NAME: "trigger" };
    await worker.fetch(post(0), { ...env, NAME: "request" }, undefined);
    await vi.waitFor(() => expect(ran).toEqual([[0, "request"]]), { timeout: 10_000 });
    await app.getQueue().enqueue("note", 5);
    const invocation = createInvocation();
    await worker.scheduled({ cron: "0 3 * * *", scheduledTime: 7 }, env, invocation);
    expect(swept).toEqual([["0 3 * * *", 7]]);
    await vi.waitFor(() => expect(ran.map((one) => (one as [unknown])[0])).toEqual([0, 5]), {
      timeout: 10_000,
    });
    // A trigger without a schedule may exist for the jobs.
    await worker.scheduled({ cron: "* * * * *", scheduledTime: 8 }, env, invocation);
    expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("cannot consume a batch of Cloudflare Queues, and reports the missing binding", async () => {
    const { worker } = createWorker();
    const batch = { queue: "jobs", messages: [] };
    await expect(
      worker.queue(batch, { KV: new MemoryKv() }, createInvocation()),
    ).rejects.toMatchObject({
      code: "ERR_QUEUE_UNSUPPORTED",
      message:
        'A batch of "jobs" arrived, but jobs are stored in "cloudflare-kv". ' +
        'Add the producer binding "QUEUE" for this queue.',
    });
  });
});

test("a worker with jobs in Cloudflare Queues runs delivered batches", async () => {
  const { worker, ran } = createWorker();
  const sent: unknown[] = [];
  const producer = {
    send: async (body: unknown) => void sent.push(structuredClone(body)),
    sendBatch: async () => {},
  };
  const env = { QUEUE: producer, NAME: "consumer" };
  const invocation = createInvocation();
  expect((await worker.fetch(post(0), env, invocation)).status).toBe(202);
  expect(sent).toHaveLength(1);
  const outcomes: string[] = [];
  const message = {
    id: "m",
    body: sent[0],
    attempts: 1,
    ack: () => void outcomes.push("ack"),
    retry: () => void outcomes.push("retry"),
  };
  await worker.queue({ queue: "jobs", messages: [message] }, env, invocation);
  expect(ran).toEqual([[0, "consumer"]]);
  expect(outcomes).toEqual(["ack"]);
  // The platform delivers that queue: requests do not poll.
  const later = createInvocation();
  await worker.fetch(new Request("http://localhost/"), env, later);
  expect(later.work).toEqual([]);
});

test("a cron trigger without a schedule logs one warning, with the nearest schedule", async () => {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.schedule("0 3 * * *", () => {});
  const worker = app.worker();
  for (const cron of ["0 3 * * 1", "0 3 * * 1"]) {
    await worker.scheduled({ cron, scheduledTime: 0 }, {}, createInvocation());
  }
  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ["warn", 'The cron trigger "0 3 * * 1" matches no schedule. ' + 'Did you mean "0 3 * * *"?'],
  ]);
});

test.each([
  ["QUEUE", { QUEUE: { send() {}, sendBatch() {} } }],
  ["KV", { KV: new MemoryKv() }],
])("a missing binding %s of an invocation is reported by its name", async (name, bindings) => {
  let environment: Readonly<Record<string, unknown>> = bindings;
  const logger = createRecordingLogger();
  const runtime = createCapabilityRuntime({ environment: () => environment, logger });
  const service = new QueueCapability(runtime, resolveServiceOptions({}), () => []);
  // Loading the engine chooses the driver.
  expect((await service.load()).adapter.name).toMatch(/^cloudflare-/);
  expect(service.driver).toBe("custom");
  environment = {};
  await expect(service.queue.enqueue("x" as never, null as never)).rejects.toMatchObject({
    code: "ERR_QUEUE_UNSUPPORTED",
    message: `The binding "${name}", which stores the queue's jobs, is missing from this invocation's env.`,
  });
});

test("with Deno.Kv, jobs and cache are stored in it", async () => {
  const kv = new MemoryDenoKv();
  vi.stubGlobal("Deno", { openKv: async () => kv });
  const app = new Application({ logger: createRecordingLogger() });
  await app.cacheSet("k", "v");
  await app.getQueue().enqueue("later", 1, { id: "one", delayMs: 60_000 });
  expect([...kv.stored.values()].map(({ key }) => key)).toEqual([
    ["cache", "k", 0],
    ["espalier-queue", "job", "one"],
  ]);
  expect(app.getQueue().name).toBe("deno-kv");
  expect(await new DenoKvCacheStore(kv).get("k")).toContain("v");
  await app.stop();
});
