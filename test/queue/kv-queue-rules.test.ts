import { describe, expect, it } from "vitest";
import { KvQueueAdapter } from "../../src/platform/cloudflare/kv-queue-adapter.ts";
import type { KvListOptions, KvListPage } from "../../src/platform/cloudflare/kv-types.ts";
import { formatJobKey, type JobKey } from "../../src/platform/cloudflare/queue-job-keys.ts";
import type { JobRecord } from "../../src/queue/queue-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";
import { MemoryKv } from "./support/memory-kv.ts";

const minute = 60_000;
const leaseMs = 45_000;

/** A namespace whose lists may be kept as they are, as those of another location are for a minute. */
class StaleKv extends MemoryKv {
  lists = 0;
  #kept: ReadonlyMap<string, { value: string; metadata: unknown }> | undefined;

  keepLists(): void {
    this.#kept = new Map(this.stored);
  }

  override async list(options: KvListOptions = {}): Promise<KvListPage> {
    this.lists += 1;
    if (this.#kept === undefined) return super.list(options);
    const kept = new MemoryKv();
    for (const [key, entry] of this.#kept) kept.stored.set(key, entry);
    return kept.list(options);
  }
}

function createNamespace() {
  const clock = new FakeClock();
  const namespace = new StaleKv();
  const createAdapter = (): KvQueueAdapter =>
    new KvQueueAdapter({ namespace, clock, writeIntervalMs: 0 });
  const start = clock.now();
  let token = 0;
  /** Writes a key as another instance has; times are relative to the start, in milliseconds. */
  const write = async (fields: Partial<JobKey>, payload: unknown = null): Promise<string> => {
    token += 1;
    const { dueAt = 0, enqueuedAt = 0, ...rest } = fields;
    const key = {
      ...{ id: "job", priority: 0, attempt: 0, state: "waiting" as const, token: `k${token}` },
      ...rest,
      dueAt: start + dueAt,
      enqueuedAt: start + enqueuedAt,
    };
    const { id, priority } = key;
    const stored = {
      id,
      keepIdMs: 0,
      name: "x",
      payload,
      maxAttempts: 3,
      priority,
      enqueuedAt: key.enqueuedAt,
    };
    const name = `queue/job/${formatJobKey(key)}`;
    await namespace.put(name, JSON.stringify({ ...stored, backoff: {} }), {
      metadata: { name: "x" },
    });
    return name;
  };
  const record = (fields: Partial<JobRecord> = {}): JobRecord => ({
    ...{
      id: "job",
      keepIdMs: 0,
      name: "x",
      payload: null,
      attempt: 0,
      maxAttempts: 3,
      priority: 0,
      backoff: {},
    },
    ...{ enqueuedAt: clock.now(), dueAt: clock.now() },
    ...fields,
  });
  return { clock, namespace, createAdapter, write, record };
}

/** Pulls one job that must be there. */
async function pullOne(adapter: KvQueueAdapter) {
  const [job] = await pullJobs(adapter, 1, leaseMs);
  if (job === undefined) throw new Error("No job was pulled.");
  return job;
}

describe("which of a job's keys counts", () => {
  it("none, while a lease of it may run, however old the key of the lease is", async () => {
    const { clock, createAdapter, write } = createNamespace();
    // The newest key waits; an older one is the lease of a worker that still runs the job.
    await write({ attempt: 1, state: "leased", dueAt: leaseMs });
    await write({ attempt: 0, enqueuedAt: 10 });
    const adapter = createAdapter();
    expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    await clock.advance(leaseMs + 1);
    expect(await pullJobs(adapter, 1, leaseMs)).toHaveLength(1);
  });

  it("that of the latest enqueue, whatever attempts an earlier one has used", async () => {
    const { createAdapter, write, namespace } = createNamespace();
    await write({ attempt: 2, enqueuedAt: 0 }, "earlier");
    await write({ attempt: 0, enqueuedAt: 10 }, "later");
    const job = await pullOne(createAdapter());
    expect([job.payload, job.attempt]).toEqual(["later", 1]);
    expect(namespace.stored.size).toBe(1);
  });

  it("that with the most attempts", async () => {
    const { createAdapter, write } = createNamespace();
    await write({ attempt: 2 });
    await write({ attempt: 1 });
    expect((await pullOne(createAdapter())).attempt).toBe(3);
  });

  it("of one attempt, that which is due later: the next attempt waits for its time", async () => {
    const { clock, createAdapter, write } = createNamespace();
    await write({ attempt: 1, state: "leased", dueAt: -10 });
    await write({ attempt: 1, state: "waiting", dueAt: minute });
    const adapter = createAdapter();
    // The lease has ended because its worker asked for a retry: it must not run before that is due.
    expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    await clock.advance(minute);
    expect((await pullOne(adapter)).attempt).toBe(2);
  });

  it("a key that an earlier attempt left behind does not make the next attempt due", async () => {
    const { clock, createAdapter, write } = createNamespace();
    await write({ attempt: 0 });
    await write({ attempt: 1, dueAt: minute });
    const adapter = createAdapter();
    expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    await clock.advance(minute);
    expect((await pullOne(adapter)).attempt).toBe(2);
  });

  it("an enqueue for later runs in place of an earlier one that is due", async () => {
    const { createAdapter, write } = createNamespace();
    await write({ enqueuedAt: 0 }, "earlier");
    await write({ enqueuedAt: 10, dueAt: minute }, "later");
    expect((await pullOne(createAdapter())).payload).toBe("later");
  });
});

describe("a list that is out of date", () => {
  it("does not bring back a job that this instance has finished", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({});
    namespace.keepLists();
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    await adapter.ack(id, lease);
    const { reads } = namespace;
    for (let passed = 0; passed < 4; passed += 1) {
      await clock.advance(minute);
      expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    }
    // Not even looked at: reading it would return the value, which may be out of date, too.
    expect(namespace.reads).toBe(reads);
  });

  it("does not bring back the lease of a job that this instance has finished", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({});
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    namespace.keepLists();
    await adapter.ack(id, lease);
    const { reads } = namespace;
    await clock.advance(leaseMs + 1);
    expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    expect(namespace.reads).toBe(reads);
  });

  it("that is read again does not make a key count twice", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({ dueAt: 11_000 });
    const adapter = createAdapter();
    await pullJobs(adapter, 1, leaseMs);
    await clock.advance(11_000);
    let deletes = 0;
    const remove = namespace.delete.bind(namespace);
    namespace.delete = (key) => {
      deletes += 1;
      return remove(key);
    };
    await pullOne(adapter);
    expect(namespace.lists).toBe(2);
    expect(deletes).toBe(1);
  });

  it("does not show a lease to this instance that was reported as not written", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({});
    const adapter = createAdapter();
    const put = namespace.put.bind(namespace);
    namespace.put = async (...args) => {
      await put(...args);
      throw new Error("KV: 500");
    };
    const remove = namespace.delete.bind(namespace);
    namespace.delete = () => Promise.reject(new Error("KV: 429"));
    expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    namespace.put = put;
    await clock.advance(12_000);
    namespace.delete = remove;
    // The key of that lease is still there, and would keep the job from running until it expires.
    expect(namespace.stored.size).toBe(2);
    expect((await pullOne(adapter)).attempt).toBe(1);
  });

  it("a key that is listed and gone is left alone for two seconds", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    namespace.listedButGone.add(await write({}));
    const adapter = createAdapter();
    await pullJobs(adapter, 1, leaseMs);
    await clock.advance(1900);
    await pullJobs(adapter, 1, leaseMs);
    expect(namespace.reads).toBe(1);
    await clock.advance(1000);
    await pullJobs(adapter, 1, leaseMs);
    expect(namespace.reads).toBe(2);
  });

  it("is read again two seconds after it had nothing to run, and ten after it had", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    const adapter = createAdapter();
    await pullJobs(adapter, 1, leaseMs);
    await clock.advance(1900);
    await pullJobs(adapter, 1, leaseMs);
    expect(namespace.lists).toBe(1);
    for (let number = 0; number < 20; number += 1) await write({ id: `job-${number}` });
    await clock.advance(200);
    expect(await pullJobs(adapter, 1, leaseMs)).toHaveLength(1);
    expect(namespace.lists).toBe(2);
    await clock.advance(9900);
    expect(await pullJobs(adapter, 1, leaseMs)).toHaveLength(1);
    expect(namespace.lists).toBe(2);
    await clock.advance(200);
    expect(await pullJobs(adapter, 1, leaseMs)).toHaveLength(1);
    expect(namespace.lists).toBe(3);
  });

  it("is read page by page, until the rest is not due or there is enough", async () => {
    const { namespace, createAdapter, write } = createNamespace();
    for (let number = 0; number < 2500; number += 1) {
      await write({ id: `job-${number}`, dueAt: number < 800 ? 0 : minute });
    }
    expect(await pullJobs(createAdapter(), 1000, leaseMs)).toHaveLength(800);
    expect(namespace.lists).toBe(1);
    for (let number = 0; number < 2500; number += 1) await write({ id: `due-${number}` });
    namespace.lists = 0;
    const adapter = createAdapter();
    await pullJobs(adapter, 1, leaseMs);
    expect(namespace.lists).toBe(1);
    // More follow, so the next pages are read as soon as these jobs are used up.
    expect(await pullJobs(adapter, 1500, leaseMs)).toHaveLength(1500);
  });
});

describe("the end of a lease", () => {
  const ends: Record<string, (adapter: KvQueueAdapter, lease: string) => Promise<boolean>> = {
    ack: (adapter, lease) => adapter.ack("job", lease),
    retry: (adapter, lease) => adapter.retry("job", lease, 0),
    release: (adapter, lease) => adapter.release("job", lease),
    dead: (adapter, lease) => adapter.dead("job", lease, "late"),
  };
  it.each(Object.keys(ends))(
    "by %s is refused once another instance has taken the job over",
    async (name) => {
      const { clock, createAdapter, write } = createNamespace();
      await write({});
      const slow = createAdapter();
      const late = await pullOne(slow);
      await clock.advance(leaseMs + 1);
      const current = await pullOne(createAdapter());
      expect(current.attempt).toBe(2);
      expect(await ends[name]?.(slow, late.lease)).toBe(false);
      expect(await slow.failed(10)).toEqual([]);
      expect(await countPending(slow)).toBe(1);
    },
  );

  it("is forgotten five minutes after the lease, when its worker was cut off", async () => {
    const { clock, createAdapter, write } = createNamespace();
    await write({});
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    await clock.advance(leaseMs + 4 * minute);
    await pullJobs(adapter, 1, leaseMs, []);
    expect(await adapter.retry(id, lease, clock.now() + minute)).toBe(true);
    const again = createNamespace();
    await again.write({});
    const other = again.createAdapter();
    const forgotten = await pullOne(other);
    await again.clock.advance(leaseMs + 6 * minute);
    await pullJobs(other, 1, leaseMs, []);
    expect(await other.retry(forgotten.id, forgotten.lease, again.clock.now())).toBe(false);
  });

  it("hides the key from pulls while it is being deleted", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({});
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    await clock.advance(leaseMs - 10);
    const remove = namespace.delete.bind(namespace);
    namespace.delete = async (key) => {
      await new Promise<void>((resolve) => clock.after(500, resolve));
      await remove(key);
    };
    const ended = adapter.ack(id, lease);
    await clock.advance(100);
    // The lease is over, and its job is done: it must not be taken for one whose worker was cut off.
    expect(await pullJobs(adapter, 1, leaseMs)).toEqual([]);
    await clock.advance(1000);
    expect(await ended).toBe(true);
  });

  it("makes the id free for a new job at once", async () => {
    const { createAdapter, record } = createNamespace();
    const adapter = createAdapter();
    await adapter.push([record()]);
    const { id, lease } = await pullOne(adapter);
    await adapter.push([record({ payload: "ignored" })]);
    expect(await countPending(adapter)).toBe(1);
    await adapter.ack(id, lease);
    await adapter.push([record({ payload: "new" })]);
    expect((await pullOne(adapter)).payload).toBe("new");
  });

  it("is not awaited to enqueue an id whose lease has expired", async () => {
    const { clock, createAdapter, record, write } = createNamespace();
    await write({});
    const adapter = createAdapter();
    await pullOne(adapter);
    await clock.advance(leaseMs + 1);
    await adapter.push([record({ payload: "new" })]);
    expect((await pullOne(adapter)).payload).toBe("new");
  });
});

describe("a failed job", () => {
  it("that is retried takes precedence over a key that its last attempt left behind", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({ attempt: 2 }, "failed");
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    const remove = namespace.delete.bind(namespace);
    namespace.delete = () => Promise.reject(new Error("KV: 429 Too Many Requests"));
    const failing = adapter.dead(id, lease, "broken").catch(() => "not deleted");
    await clock.advance(10_000);
    expect(await failing).toBe("not deleted");
    namespace.delete = remove;
    await clock.advance(leaseMs);
    const other = createAdapter();
    expect(await other.retryFailed(id)).toBe(true);
    const again = await pullOne(other);
    expect([again.payload, again.attempt]).toEqual(["failed", 1]);
    expect(await other.ack(again.id, again.lease)).toBe(true);
    expect(await countPending(other)).toBe(0);
    expect(await other.failed(10)).toEqual([]);
  });

  it("is listed with the attempts it had, not with those of leases that expired", async () => {
    const { createAdapter, write } = createNamespace();
    await write({ attempt: 5 });
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    await adapter.dead(id, lease, "cut off");
    expect(await adapter.failed(10)).toMatchObject([{ id, attempts: 3 }]);
  });

  it("is listed over several pages, up to the limit, without those retried meanwhile", async () => {
    const { namespace, createAdapter, write } = createNamespace();
    const adapter = createAdapter();
    for (let number = 0; number < 5; number += 1) await write({ id: `job-${number}`, attempt: 2 });
    for (const { id, lease } of await pullJobs(adapter, 5, leaseMs))
      await adapter.dead(id, lease, "x");
    namespace.listedButGone.add("queue/dead/job-1");
    expect((await adapter.failed(10)).map(({ id }) => id)).toEqual([
      "job-0",
      "job-2",
      "job-3",
      "job-4",
    ]);
    namespace.lists = 0;
    expect((await adapter.failed(2)).map(({ id }) => id)).toEqual(["job-0", "job-2"]);
    // The second page replaces the one that is gone.
    expect(namespace.lists).toBe(2);
  });

  it("is counted over several pages", async () => {
    const { namespace, createAdapter } = createNamespace();
    for (let number = 0; number < 1001; number += 1) {
      await namespace.put(`queue/dead/job-${number}`, "{}");
    }
    expect(await createAdapter().counts()).toMatchObject({ failed: 1001 });
  });

  it("is found by its id; a listed job whose key is gone is not", async () => {
    const { namespace, createAdapter, write } = createNamespace();
    const adapter = createAdapter();
    expect(await adapter.find("job")).toBeUndefined();
    const key = await write({});
    expect(await adapter.find("job")).toMatchObject({ id: "job", state: "waiting", attempt: 0 });
    namespace.listedButGone.add(key);
    expect(await adapter.find("job")).toBeUndefined();
  });
});

describe("an adapter", () => {
  it("has a name, and the largest payload that a value of KV can hold beside the job", () => {
    const { name, payloadLimitBytes, features } = createNamespace().createAdapter();
    expect([name, payloadLimitBytes, features]).toEqual([
      "cloudflare-kv",
      26_206_208,
      ["keepIdMs"],
    ]);
  });

  it("takes the namespace of each invocation from a function", async () => {
    const { clock, namespace, record } = createNamespace();
    let current = namespace;
    const adapter = new KvQueueAdapter({ namespace: () => current, clock, writeIntervalMs: 0 });
    await adapter.push([record({ id: "first" })]);
    current = new StaleKv();
    await adapter.push([record({ id: "second" })]);
    expect([namespace.stored.size, current.stored.size]).toEqual([1, 1]);
  });

  it("accepts an id while another job runs", async () => {
    const { createAdapter, record } = createNamespace();
    const adapter = createAdapter();
    await adapter.push([record({ id: "running" })]);
    await pullOne(adapter);
    await adapter.push([record({ id: "other" })]);
    expect(await countPending(adapter)).toBe(2);
  });

  it("accepts an id at the end of its lease", async () => {
    const { clock, createAdapter, record } = createNamespace();
    const adapter = createAdapter();
    await adapter.push([record()]);
    await pullOne(adapter);
    await clock.advance(leaseMs);
    await adapter.push([record({ payload: "new" })]);
    expect((await pullOne(adapter)).payload).toBe("new");
  });

  it("ends a job by a lease of another instance, and refuses what needs the job", async () => {
    const { namespace, createAdapter, write } = createNamespace();
    await write({});
    const { id, lease } = await pullOne(createAdapter());
    const other = createAdapter();
    expect(await other.retry(id, lease, 0)).toBe(false);
    expect(await other.release(id, lease)).toBe(false);
    expect(await other.dead(id, lease, "unknown")).toBe(false);
    expect(await other.ack(id, lease)).toBe(true);
    expect(namespace.stored.size).toBe(0);
  });

  it("reads nothing to end a lease that has not expired", async () => {
    const { clock, namespace, createAdapter, write } = createNamespace();
    await write({});
    const adapter = createAdapter();
    const { id, lease } = await pullOne(adapter);
    const { reads } = namespace;
    await clock.advance(leaseMs - 1);
    expect(await adapter.ack(id, lease)).toBe(true);
    expect(namespace.reads).toBe(reads);
  });
});
