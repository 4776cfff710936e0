import { describe, expect, it, test, vi } from "vitest";
import {
  CloudflareQueuesAdapter,
  type CloudflareQueuesAdapterOptions,
} from "../../src/platform/cloudflare/cloudflare-queues-adapter.ts";
import {
  findObjectBinding,
  findQueueBinding,
  queueBindingNames,
} from "../../src/platform/cloudflare/find-queue-binding.ts";
import type { JobRecord, LeasedJob } from "../../src/queue/queue-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { MemoryKv } from "./support/memory-kv.ts";

const hour = 60 * 60 * 1000;

function createProducer() {
  const calls: { method: string; body: unknown; options: unknown }[] = [];
  return {
    calls,
    send: async (body: unknown, options?: unknown) =>
      void calls.push({ method: "send", body, options }),
    sendBatch: async (messages: Iterable<{ body: unknown }>) => {
      for (const { body, ...options } of messages)
        calls.push({ method: "sendBatch", body, options });
    },
  };
}

function createAdapter(options: Partial<CloudflareQueuesAdapterOptions> = {}) {
  const clock = new FakeClock();
  const producer = createProducer();
  const logger = createRecordingLogger();
  const adapter = new CloudflareQueuesAdapter({ producer, clock, logger, ...options });
  const ends: string[] = [];
  const job = (changes: Partial<JobRecord> = {}): JobRecord => ({
    ...{ id: "job", keepIdMs: 0, name: "x", payload: 1, attempt: 0, maxAttempts: 3, priority: 0 },
    ...{ enqueuedAt: clock.now(), dueAt: clock.now(), backoff: {} },
    ...changes,
  });
  /** Body of the message that a job is sent as. */
  const bodyOf = async (changes: Partial<JobRecord> = {}): Promise<unknown> => {
    const copy = createProducer();
    await new CloudflareQueuesAdapter({ producer: copy, clock }).push([job(changes)]);
    return copy.calls[0]?.body;
  };
  /** Delivers a body as a message; `run` gets its job. */
  const deliver = async (
    body: unknown,
    run: (job: LeasedJob) => unknown = ({ id, lease }) => adapter.ack(id, lease),
    { queue = "jobs", attempts = 1 } = {},
  ): Promise<string[]> => {
    ends.length = 0;
    const message = {
      ...{ id: "m", body, attempts },
      ack: () => void ends.push("ack"),
      retry: (o?: { delaySeconds?: number }) => void ends.push(`retry ${o?.delaySeconds ?? "-"}`),
    };
    await adapter.handleBatch(
      { queue, messages: [message] },
      async (leased) => void (await run(leased)),
    );
    return [...ends];
  };
  return { adapter, clock, producer, logger, job, bodyOf, deliver };
}

describe("an adapter", () => {
  it("has a name, and the largest payload that a message can hold beside the job", () => {
    const { name, payloadLimitBytes } = createAdapter().adapter;
    expect([name, payloadLimitBytes]).toEqual(["cloudflare-queues", 125_852]);
  });

  it("takes the bindings of each invocation from functions", async () => {
    const producers = [createProducer(), createProducer()];
    const namespaces = [new MemoryKv(), new MemoryKv()];
    let current = 0;
    const { adapter, job, bodyOf, deliver } = createAdapter({
      producer: () => producers[current] ?? createProducer(),
      namespace: () => namespaces[current],
    });
    const fail = async (): Promise<void> => {
      await adapter.push([job()]);
      await deliver(await bodyOf(), ({ id, lease }) => adapter.dead(id, lease, "broken"));
    };
    await fail();
    current = 1;
    await fail();
    expect(producers.map(({ calls }) => calls.length)).toEqual([1, 1]);
    expect(namespaces.map(({ stored }) => [...stored.keys()])).toEqual([
      ["queue/dead/job"],
      ["queue/dead/job"],
    ]);
  });

  it("stores failed jobs under its prefix", async () => {
    const namespace = new MemoryKv();
    const { adapter, bodyOf, deliver } = createAdapter({ namespace, prefix: "mail/" });
    await deliver(await bodyOf(), ({ id, lease }) => adapter.dead(id, lease, "broken"));
    expect([...namespace.stored.keys()]).toEqual(["mail/dead/job"]);
  });
});

describe("a sent job", () => {
  it("is JSON, with its delay rounded up to seconds; a single one is no batch", async () => {
    const { adapter, clock, producer, job } = createAdapter();
    await adapter.push([job({ dueAt: clock.now() + 1001 })]);
    await adapter.push([job({ id: "a" }), job({ id: "b", dueAt: clock.now() - 5000 })]);
    await adapter.push([]);
    const usual = { contentType: "json", delaySeconds: 0 };
    expect(producer.calls.map(({ method, options }) => ({ method, options }))).toEqual([
      { method: "send", options: { contentType: "json", delaySeconds: 2 } },
      { method: "sendBatch", options: usual },
      { method: "sendBatch", options: usual },
    ]);
  });

  it("is sent again when it arrives a second early or more, unless it was delivered before", async () => {
    const { clock, producer, bodyOf, deliver } = createAdapter();
    const early = { dueAt: clock.now() + 1001, attempt: 1 };
    const attempts: number[] = [];
    const run = ({ attempt }: LeasedJob): void => void attempts.push(attempt);
    expect(await deliver(await bodyOf(early), run)).toEqual(["ack"]);
    expect(producer.calls).toMatchObject([{ body: { attemptsBefore: 1, dueAt: early.dueAt } }]);
    await deliver(await bodyOf(early), run, { attempts: 2 });
    await deliver(await bodyOf({ dueAt: clock.now() + 1000 }), run);
    expect([attempts, producer.calls.length]).toEqual([[3, 1], 1]);
  });
});

describe("the end of a job", () => {
  it("is refused for an unknown lease, and sends nothing", async () => {
    const { adapter, clock, producer } = createAdapter({ namespace: new MemoryKv() });
    expect(await adapter.ack("job", "unknown")).toBe(false);
    expect(await adapter.retry("job", "unknown", clock.now())).toBe(false);
    expect(await adapter.retry("job", "unknown", clock.now() + 13 * hour)).toBe(false);
    expect(await adapter.release("job", "unknown")).toBe(false);
    expect(await adapter.dead("job", "unknown", "broken")).toBe(false);
    expect(await adapter.failed(9)).toEqual([]);
    expect(producer.calls).toEqual([]);
  });

  it.each([
    [12 * hour, ["retry 43200"], 0],
    [12 * hour + 1, ["ack"], 1],
  ])("with a retry in %d ms is %j", async (delayMs, ends, sent) => {
    const { adapter, clock, producer, bodyOf, deliver } = createAdapter();
    const run = ({ id, lease }: LeasedJob) => adapter.retry(id, lease, clock.now() + delayMs);
    expect(await deliver(await bodyOf(), run)).toEqual(ends);
    expect(producer.calls).toHaveLength(sent);
  });

  it("is a retry if the runner fails, and is logged", async () => {
    const { logger, bodyOf, deliver } = createAdapter();
    const error = new Error("broken");
    const ends = await deliver(await bodyOf(), () => Promise.reject(error));
    expect(ends).toEqual(["retry -"]);
    expect(logger.lines).toEqual([
      {
        level: "error",
        message: "A message could not be handled and is retried.",
        messageId: "m",
        error,
      },
    ]);
  });
});

describe("a failed job", () => {
  const fail = (adapter: CloudflareQueuesAdapter) => (job: LeasedJob) =>
    adapter.dead(job.id, job.lease, "broken");

  it("without a namespace is retried as a message after its last attempt", async () => {
    const { adapter, bodyOf, deliver, producer } = createAdapter();
    const body = await bodyOf({ maxAttempts: 3 });
    expect(await deliver(body, fail(adapter), { attempts: 3 })).toEqual(["retry -"]);
    expect(producer.calls).toEqual([]);
  });

  it("without a namespace is sent as a message without attempts, if it has some left", async () => {
    const { adapter, bodyOf, deliver, producer } = createAdapter();
    expect(await deliver(await bodyOf({ maxAttempts: 3 }), fail(adapter))).toEqual(["ack"]);
    const [{ body } = {}] = producer.calls;
    expect(body).toMatchObject({ id: "job", payload: 1, maxAttempts: 3, attemptsBefore: 4 });
    let runs = 0;
    const count = (): void => {
      runs += 1;
    };
    for (const attempts of [1, 2]) {
      expect(await deliver(body, count, { attempts })).toEqual(["retry -"]);
    }
    expect(runs).toBe(0);
  });

  it("without a namespace is passed on once after the process of its last attempt has ended", async () => {
    const { adapter, bodyOf, deliver } = createAdapter();
    const body = await bodyOf({ maxAttempts: 3 });
    const attempts: number[] = [];
    const record = (job: LeasedJob): Promise<boolean> => {
      attempts.push(job.attempt);
      return fail(adapter)(job);
    };
    for (const delivery of [4, 5, 6]) await deliver(body, record, { attempts: delivery });
    expect(attempts).toEqual([4]);
  });

  it.each([4, 5])(
    "does not replace a new job with its id in a batch (delivery %i)",
    async (attempts) => {
      const { adapter, bodyOf } = createAdapter();
      const ended: unknown[] = [];
      const message = (id: string, body: unknown, delivery: number) => ({
        ...{ id, body, attempts: delivery },
        ack: () => void ended.push([id, "ack"]),
        retry: () => void ended.push([id, "retry"]),
      });
      const messages = [
        message("failed", await bodyOf({ maxAttempts: 3 }), attempts),
        message("new", await bodyOf({ payload: 2 }), 1),
      ];
      const ran: unknown[] = [];
      await adapter.handleBatch({ queue: "jobs", messages }, async (job) => {
        if (job.attempt > job.maxAttempts) return void (await fail(adapter)(job));
        ran.push(job.payload);
        await adapter.ack(job.id, job.lease);
      });
      expect(ran).toEqual([2]);
      expect(ended).toContainEqual(["failed", "retry"]);
      expect(ended).toContainEqual(["new", "ack"]);
    },
  );

  it("is discarded from the namespace; without one it is unknown", async () => {
    const { adapter, bodyOf, deliver } = createAdapter({ namespace: new MemoryKv() });
    await deliver(await bodyOf(), fail(adapter));
    expect(await adapter.failed(9)).toMatchObject([{ id: "job", attempts: 1, error: "broken" }]);
    expect(await adapter.discardFailed("unknown")).toBe(false);
    expect(await adapter.discardFailed("job")).toBe(true);
    expect(await adapter.failed(9)).toEqual([]);
    expect(await createAdapter().adapter.discardFailed("job")).toBe(false);
  });

  it("is not retried if it is unknown, or if there is no namespace", async () => {
    const without = createAdapter();
    const withKv = createAdapter({ namespace: new MemoryKv() });
    for (const { adapter, producer } of [without, withKv]) {
      expect(await adapter.retryFailed("unknown")).toBe(false);
      expect(producer.calls).toEqual([]);
    }
    expect(await without.adapter.failed(9)).toEqual([]);
  });
});

describe("a message that is not a job", () => {
  const { bodyOf } = createAdapter();

  it.each([
    ["of a string", () => "hello"],
    ["of null", () => null],
    ["without the marker", ({ espalier: _, ...body }: Record<string, unknown>) => body],
    ["without an id", ({ id: _, ...body }: Record<string, unknown>) => body],
    ["without a name", ({ name: _, ...body }: Record<string, unknown>) => body],
    ["without a backoff", ({ backoff: _, ...body }: Record<string, unknown>) => body],
  ])("%s is retried, and logged", async (_name, change) => {
    const { logger, deliver } = createAdapter();
    const body = change((await bodyOf()) as Record<string, unknown>);
    const run = vi.fn();
    expect(await deliver(body, run)).toEqual(["retry -"]);
    expect(run).not.toHaveBeenCalled();
    expect(logger.lines).toMatchObject([
      {
        level: "error",
        message: "A message that is not a job is left for the dead-letter queue.",
        messageId: "m",
      },
    ]);
  });
});

describe("the dead-letter queue", () => {
  it.each([
    ["jobs-dlq", true],
    ["jobs-dead", true],
    ["jobs-dlq-2", false],
    ["dead", false],
  ])("by default, %s is one: %s", async (queue, isDead) => {
    const namespace = new MemoryKv();
    const { adapter, bodyOf, deliver } = createAdapter({ namespace });
    expect(await deliver(await bodyOf(), undefined, { queue })).toEqual(["ack"]);
    const failed = await adapter.failed(9);
    expect(failed).toHaveLength(isDead ? 1 : 0);
    if (isDead) {
      const error = "Cloudflare Queues moved it to the dead-letter queue";
      expect(failed).toMatchObject([{ id: "job", attempts: 3, error }]);
    }
  });

  describe("of a job that failed with attempts left, without a namespace", () => {
    async function failFirst(payload: unknown, error: string): Promise<Record<string, unknown>> {
      const { adapter, bodyOf, deliver, producer } = createAdapter();
      const body = await bodyOf({ payload, maxAttempts: 5 });
      await deliver(body, ({ id, lease }) => adapter.dead(id, lease, error), { attempts: 2 });
      return JSON.parse(JSON.stringify(producer.calls[0]?.body));
    }

    async function storeDead(body: unknown) {
      const { adapter, deliver } = createAdapter({ namespace: new MemoryKv() });
      expect(await deliver(body, undefined, { queue: "jobs-dlq" })).toEqual(["ack"]);
      return (await adapter.failed(9)).map(({ attempts, error }) => [attempts, error]);
    }

    it("has its attempts and its error", async () => {
      expect(await storeDead(await failFirst(1, "no such member"))).toEqual([
        [2, "no such member"],
      ]);
    });

    it("leaves room for the payload", async () => {
      const payload = "€".repeat(41_000);
      const body = await failFirst(payload, "\0".repeat(100_000));
      expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(127_900);
      expect(await storeDead(body)).toEqual([[2, expect.stringContaining("dead-letter queue")]]);
      const [[, error] = []] = await storeDead(await failFirst(1, "x".repeat(100_000)));
      expect(error).toBe("x".repeat(1000));
    });

    it.each([
      null,
      "broken",
      { attempts: 0, error: "broken" },
      { attempts: 6, error: "broken" },
      { attempts: 1.5, error: "broken" },
      { attempts: "2", error: "broken" },
    ])("ignores the failure %j of a message", async (failure) => {
      const body = { ...(await failFirst(1, "broken")), failure };
      expect(await storeDead(body)).toEqual([[5, expect.stringContaining("dead-letter queue")]]);
    });

    it("does not pass its failure to a handler", async () => {
      const { adapter, deliver } = createAdapter({ namespace: new MemoryKv() });
      const jobs: LeasedJob[] = [];
      await deliver(await failFirst(1, "broken"), (job) => {
        jobs.push(job);
        return adapter.ack(job.id, job.lease);
      });
      expect(jobs[0]).not.toHaveProperty("failure");
    });
  });

  it("keeps what cannot be stored, which is logged", async () => {
    const message =
      "A message of the dead-letter queue could not be stored: it is not a job, or no KV binding exists.";
    for (const [options, body] of [
      [{ namespace: new MemoryKv() }, "hello"],
      [{}, await createAdapter().bodyOf()],
    ] as const) {
      const { logger, deliver } = createAdapter(options);
      expect(await deliver(body, undefined, { queue: "jobs-dlq" })).toEqual(["retry -"]);
      expect(logger.lines).toMatchObject([{ level: "error", message, messageId: "m" }]);
    }
  });
});

test("bindings are found by their methods", () => {
  const send = (): void => {};
  const env = {
    jobs: { send, sendBatch: send },
    half: { send },
    wrong: { send, sendBatch: 1 },
    object: { idFromName: send, get: send },
    text: "jobs",
    nothing: null,
    function: Object.assign(send, { sendBatch: send }),
  };
  expect(queueBindingNames(env)).toEqual(["jobs"]);
  expect(findQueueBinding(env, "jobs")).toBe(env.jobs);
  expect(findObjectBinding(env, "object")).toBe(env.object);
  for (const name of ["half", "wrong", "text", "nothing", "missing"]) {
    expect(findQueueBinding(env, name), name).toBeUndefined();
    expect(findObjectBinding(env, name), name).toBeUndefined();
  }
});
