import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  LockDurableObject,
  type LockResult,
} from "../../../src/platform/cloudflare/lock-durable-object.ts";
import { QueueDurableObject } from "../../../src/platform/cloudflare/queue-durable-object.ts";
import type { QueueObjectCall } from "../../../src/platform/cloudflare/queue-object-protocol.ts";
import { createJobRecord } from "../../../src/queue/create-job-record.ts";
import { MemoryQueueAdapter } from "../../../src/queue/memory-queue-adapter.ts";
import { createState, hasSqlite } from "./support/object-state.ts";

const start = Date.UTC(2026, 0, 1);
const day = 24 * 3600 * 1000;

beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe.skipIf(!hasSqlite)("the alarm of a queue's Durable Object", () => {
  function createQueueObject() {
    const parts = createState();
    const object = new QueueDurableObject(parts.state);
    const call = async (body: QueueObjectCall): Promise<unknown> => {
      const request = new Request("https://queue.invalid/", {
        method: "POST",
        body: JSON.stringify(body),
      });
      return await (await object.fetch(request)).json();
    };
    const push = async (id: string, delayMs = 0, keepIdMs = 0): Promise<void> => {
      const adapter = new MemoryQueueAdapter();
      const defaults = { adapter, now: Date.now(), createId: () => id };
      await call({
        call: "push",
        jobs: [createJobRecord("x", id, { id, delayMs, keepIdMs }, defaults)],
      });
    };
    return { ...parts, object, call, push };
  }

  it("is two seconds after the next job is due, and comes forward for an earlier one", async () => {
    const { push, alarms } = createQueueObject();
    await push("later", 60_000);
    await push("latest", 90_000);
    await push("soon", 10_000);
    expect(alarms).toEqual([start + 62_000, start + 12_000]);
  });

  it("lets the Worker run the due jobs, and is a second away if further jobs are overdue", async () => {
    const { object, push, worker, alarms, fire } = createQueueObject();
    await push("a");
    await push("b");
    worker.attempts = 1;
    await fire(object);
    expect(worker.requests).toBe(1);
    expect(alarms).toEqual([start + 2000, start + 3000]);
    await fire(object);
    expect(alarms.at(-1)).toBe(start + 4000);
  });

  it.each([true, false])(
    "is a minute away if the Worker ran no due job (it failed: %s)",
    async (isBroken) => {
      const { object, push, worker, alarms, fire } = createQueueObject();
      await push("a");
      worker.isBroken = isBroken;
      await fire(object);
      expect(worker.requests).toBe(1);
      expect(alarms).toEqual([start + 2000, start + 62_000]);
    },
  );

  it("does not call the Worker for a job that has ended, and is not set without a job", async () => {
    const { object, call, push, worker, alarms, fire } = createQueueObject();
    await push("a");
    const limits = [{ name: "x", max: 1, leaseMs: 60_000 }];
    const [job] = (await call({ call: "pull", max: 1, limits })) as { id: string; lease: string }[];
    expect(await call({ call: "ack", id: "a", lease: job?.lease ?? "" })).toBe(true);
    await fire(object);
    expect([worker.requests, alarms]).toEqual([0, [start + 2000]]);
  });

  it("removes ids whose time is over", async () => {
    const { object, state, push, fire } = createQueueObject();
    await push("short", 0, 1000);
    await push("long", 0, 60_000);
    await fire(object);
    expect([...state.storage.sql.exec("SELECT id FROM taken")]).toMatchObject([{ id: "long" }]);
  });
});

describe("the storage of a lock's Durable Object", () => {
  function createLockObject() {
    const parts = createState();
    const object = new LockDurableObject(parts.state);
    const call = async (path: string): Promise<LockResult> => {
      const response = await object.fetch(new Request(`https://lock.invalid${path}`));
      return (await response.json()) as LockResult;
    };
    const use = async (): Promise<number | undefined> => {
      const { token } = await call("/acquire?owner=a&ttlMs=1000");
      await call("/release?owner=a");
      return token;
    };
    return { ...parts, object, use };
  }

  it("is deleted a day after the last use, and the next fencing token is higher", async () => {
    const { object, use, values, alarms, fire } = createLockObject();
    expect(await use()).toBe(start * 1000);
    expect(alarms).toEqual([start + day]);
    vi.setSystemTime(start + day / 2);
    expect(await use()).toBe((start + day / 2) * 1000);
    await fire(object);
    expect(alarms).toEqual([start + day, start + 1.5 * day]);
    expect(values.size).toBe(1);
    await fire(object);
    expect([values.size, alarms.length]).toEqual([0, 2]);
    expect(await use()).toBe((start + 1.5 * day) * 1000);
    expect(alarms.at(-1)).toBe(start + 2.5 * day);
  });
});
