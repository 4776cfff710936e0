import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DurableObjectQueueAdapter } from "../../src/platform/cloudflare/durable-object-queue-adapter.ts";
import { QueueDurableObject } from "../../src/platform/cloudflare/queue-durable-object.ts";
import type { JobRecord } from "../../src/queue/queue-adapter.ts";
import { queueAdapterSuite } from "../../src/testing/queue-adapter-suite.ts";
import { createNamespace, hasSqlite } from "../platform/cloudflare/support/object-state.ts";
import { pullJobs } from "../support/pull-jobs.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

function job(id: string, changes: Partial<JobRecord> = {}): JobRecord {
  const now = Date.now();
  return {
    ...{ id, keepIdMs: 0, name: "x", payload: id, attempt: 0, maxAttempts: 3, priority: 0 },
    ...{ enqueuedAt: now, dueAt: now, backoff: {} },
    ...changes,
  };
}

function createAdapter(name?: string) {
  const parts = createNamespace(QueueDurableObject);
  const options = { namespace: parts.namespace, ...(name === undefined ? {} : { name }) };
  return { ...parts, adapter: new DurableObjectQueueAdapter(options) };
}

describe.skipIf(!hasSqlite)("a queue in a Durable Object with SQLite in memory", () => {
  queueAdapterSuite({
    name: "Durable Object",
    describe,
    it,
    createAdapter: () => createAdapter().adapter,
    now: () => Date.now(),
    wait: async (ms) => pass(ms),
  });

  it("is one object, named queue unless the options name another", async () => {
    const usual = createAdapter();
    await usual.adapter.push([job("a")]);
    const other = createAdapter("mail");
    await other.adapter.push([job("a")]);
    expect([...usual.states.keys(), ...other.states.keys()]).toEqual(["queue", "mail"]);
    expect(usual.adapter).toMatchObject({
      name: "cloudflare-durable-object",
      features: ["keepIdMs"],
      payloadLimitBytes: 1_991_808,
    });
  });

  it("keeps its jobs, their order and their leases when the object is restarted", async () => {
    const { adapter, restart } = createAdapter();
    await adapter.push([job("a"), job("b")]);
    const [first] = await pullJobs(adapter, 1, 60_000);
    restart();
    pass(1);
    await adapter.push([job("c", { dueAt: Date.now() - 1 })]);
    expect((await pullJobs(adapter, 9, 60_000)).map(({ id }) => id)).toEqual(["b", "c"]);
    expect(await adapter.ack("a", first?.lease ?? "")).toBe(true);
  });

  it("takes the namespace of each invocation from a function", async () => {
    const first = createNamespace(QueueDurableObject);
    const second = createNamespace(QueueDurableObject);
    let current = first.namespace;
    const adapter = new DurableObjectQueueAdapter({ namespace: () => current });
    await adapter.push([job("a")]);
    current = second.namespace;
    expect(await adapter.counts()).toMatchObject({ waiting: 0 });
  });

  it("delivers by priority, then by due time, then in the order of arrival", async () => {
    const { adapter } = createAdapter();
    const dueAt = Date.now();
    await adapter.push([
      job("late", { dueAt: dueAt - 1 }),
      job("first", { dueAt: dueAt - 5 }),
      job("second", { dueAt: dueAt - 5 }),
      job("urgent", { priority: 2 }),
      job("low", { priority: -1, dueAt: dueAt - 9 }),
    ]);
    const pulled = await pullJobs(adapter, 9, 60_000);
    expect(pulled.map(({ id }) => id)).toEqual(["urgent", "first", "second", "late", "low"]);
  });

  it("takes at most the limit of each name, and skips names without a handler", async () => {
    const { adapter } = createAdapter();
    await adapter.push([
      ...["x1", "x2", "x3"].map((id) => job(id)),
      ...["y1", "y2"].map((id) => job(id, { name: "y" })),
      job("z1", { name: "z" }),
    ]);
    const names = new Map([
      ["x", 2],
      ["y", 1],
    ]);
    const pull = async (max: number) =>
      (await pullJobs(adapter, max, 60_000, names)).map(({ id }) => id);
    expect(await pull(9)).toEqual(["x1", "x2", "y1"]);
    expect(await pull(1)).toEqual(["x3"]);
  });

  it("ends a lease at its time, to the millisecond", async () => {
    const { adapter } = createAdapter();
    await adapter.push([job("a")]);
    const [held] = await pullJobs(adapter, 1, 1000);
    pass(999);
    expect(await adapter.cancel("a")).toBe(false);
    expect(await adapter.counts()).toMatchObject({ running: 1, waiting: 0 });
    expect(await pullJobs(adapter, 1, 1000)).toEqual([]);
    pass(1);
    expect(await adapter.counts()).toMatchObject({ running: 0, waiting: 1 });
    const [again] = await pullJobs(adapter, 1, 1000);
    expect(again?.attempt).toBe(2);
    for (const stale of [held?.lease ?? "", "unknown"]) {
      expect(await adapter.renew("a", stale, 5000)).toBe(false);
      expect(await adapter.retry("a", stale, 0)).toBe(false);
      expect(await adapter.release("a", stale)).toBe(false);
      expect(await adapter.dead("a", stale, "late")).toBe(false);
      expect(await adapter.ack("a", stale)).toBe(false);
    }
    expect(await adapter.renew("a", again?.lease ?? "", 5000)).toBe(true);
    pass(4999);
    expect(await pullJobs(adapter, 1, 1000)).toEqual([]);
    pass(1);
    expect(await adapter.cancel("a")).toBe(true);
    expect(await adapter.counts()).toEqual({ waiting: 0, delayed: 0, running: 0, failed: 0 });
  });

  it("lists failed jobs by the time of their failure, and retries one unless its id is pending", async () => {
    const { adapter } = createAdapter();
    for (const id of ["b", "a"]) {
      await adapter.push([job(id, { attempt: 5 })]);
      const [held] = await pullJobs(adapter, 1, 1000);
      expect(await adapter.dead(id, held?.lease ?? "", `${id} failed`)).toBe(true);
      pass(10);
    }
    expect(await adapter.failed(9)).toMatchObject([
      {
        id: "b",
        attempts: 3,
        error: "b failed",
        name: "x",
        payload: "b",
        failedAt: Date.now() - 20,
      },
      { id: "a", attempts: 3 },
    ]);
    expect(await adapter.failed(1)).toHaveLength(1);
    expect(await adapter.find("a")).toMatchObject({
      state: "failed",
      attempt: 3,
      error: "a failed",
    });
    await adapter.push([job("a")]);
    expect(await adapter.find("a")).toMatchObject({ state: "waiting", attempt: 0 });
    expect(await adapter.retryFailed("a")).toBe(false);
    expect(await adapter.retryFailed("b")).toBe(true);
    expect(await adapter.retryFailed("b")).toBe(false);
    expect(await adapter.counts()).toMatchObject({ waiting: 2, failed: 1 });
    expect(await adapter.find("unknown")).toBeUndefined();
  });

  it("is misconfigured if its object responds with an error", async () => {
    const namespace = {
      idFromName: (name: string) => name,
      get: () => ({ fetch: async () => ({ status: 404, json: async () => null }) }),
    };
    const adapter = new DurableObjectQueueAdapter({ namespace });
    await expect(adapter.counts()).rejects.toMatchObject({ code: "ERR_QUEUE_UNSUPPORTED" });
    await expect(adapter.counts()).rejects.toThrow("answered 404");
  });
});
