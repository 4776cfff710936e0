import type { LeasedJob, QueueAdapter } from "../queue/queue-adapter.ts";
import { assertEqual } from "./assertions.ts";
import type { TestRunner } from "./cache-store-suite.ts";
import { countNames, createJobFactory, pullAll } from "./pulled-jobs.ts";

/** Options of `queueAdapterSuite`. */
export interface QueueAdapterSuiteOptions extends TestRunner {
  /** Name of the adapter in test titles. */
  readonly name: string;
  /** Returns an adapter without any jobs. */
  readonly createAdapter: () => QueueAdapter | Promise<QueueAdapter>;
  /** Current time of the adapter's clock; default `Date.now`. */
  readonly now?: () => number;
  /** Lets time pass for the adapter; default: real time. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Longer than any test runs. */
const longLeaseMs = 60_000;
const shortLeaseMs = 300;

/**
 * Tests all guarantees of {@link QueueAdapter}, on any adapter that supports pulling.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * queueAdapterSuite({ name: "redis", describe, it, createAdapter: () => new RedisQueue() });
 * ```
 */
export function queueAdapterSuite(options: QueueAdapterSuiteOptions): void {
  const now = options.now ?? (() => Date.now());
  const wait = options.wait ?? ((ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  const job = createJobFactory(now);

  const it = (title: string, body: (adapter: QueueAdapter) => Promise<void>): void => {
    options.it(title, async () => {
      const adapter = await options.createAdapter();
      await body(adapter);
      await adapter.close?.();
    });
  };

  /** Pulls a job that must exist. */
  const pullOne = async (adapter: QueueAdapter, leaseMs = longLeaseMs): Promise<LeasedJob> => {
    const [pulled, ...more] = await adapter.pull(1, leaseMs);
    assertEqual(more.length, 0, "pull(1) returns one job");
    if (pulled === undefined) throw new Error("Expected pull() to return a job, got none.");
    return pulled;
  };

  const assertNone = async (adapter: QueueAdapter, why: string): Promise<void> => {
    const pulled = await adapter.pull(10, longLeaseMs);
    assertEqual(
      pulled.map(({ id }) => id),
      [],
      why,
    );
  };

  options.describe(`the queue adapter ${options.name}`, () => {
    it("returns no job while it is empty", async (adapter) => {
      await assertNone(adapter, "an empty adapter");
    });

    it("returns a job as it was pushed, as its first attempt and with a lease", async (adapter) => {
      const pushed = job({ maxAttempts: 7, priority: 3, backoff: { type: "fixed", delayMs: 5 } });
      await adapter.push(pushed);
      const { lease, dueAt, ...pulled } = await pullOne(adapter);
      const { dueAt: _dueAt, ...expected } = pushed;
      assertEqual(pulled, { ...expected, attempt: 1 }, "the job");
      assertEqual(typeof lease === "string" && lease !== "", true, "the lease is a text");
      assertEqual(Number.isFinite(dueAt), true, "dueAt is a time");
    });

    it("stores any JSON payload and any name", async (adapter) => {
      const payloads: unknown[] = [
        null,
        false,
        0,
        "",
        "\u0000 \ud83c\udf33 \u2028",
        [],
        {},
        [[null, { a: [1, -0.5, 1e300] }]],
        JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toString":2}'),
      ];
      const names = ["__proto__", "constructor", "a/b/c", "ünï-日本", "..", "x".repeat(256)];
      for (const [index, payload] of payloads.entries()) {
        const name = names[index % names.length] ?? "test";
        await adapter.push(job({ id: `${name.slice(0, 200)}/${index}`, name, payload }));
      }
      const pulled = await pullAll(adapter, payloads.length, longLeaseMs);
      assertEqual(pulled.length, payloads.length, "how many came back");
      for (const { id, name, payload } of pulled) {
        const index = Number(id.slice(id.lastIndexOf("/") + 1));
        assertEqual(name, names[index % names.length], "the name");
        assertEqual(JSON.stringify(payload), JSON.stringify(payloads[index]), "the payload");
      }
    });

    it("returns at most `max` jobs, and every job once", async (adapter) => {
      for (let index = 0; index < 25; index++) await adapter.push(job({ id: `of-25-${index}` }));
      const first = await adapter.pull(10, longLeaseMs);
      assertEqual(first.length, 10, "the first pull of 10");
      const rest = await pullAll(adapter, 15, longLeaseMs);
      const ids = new Set([...first, ...rest].map(({ id }) => id));
      assertEqual(ids.size, 25, "different jobs");
      await assertNone(adapter, "after all were given");
    });

    it("never returns one job to two concurrent pulls", async (adapter) => {
      for (let index = 0; index < 20; index++) await adapter.push(job());
      const pulls = await Promise.all(
        Array.from({ length: 5 }, () => adapter.pull(10, longLeaseMs)),
      );
      const ids = pulls.flat().map(({ id }) => id);
      assertEqual(new Set(ids).size, ids.length, "each job in one pull");
      const others = await pullAll(adapter, 20 - ids.length, longLeaseMs);
      assertEqual(ids.length + others.length, 20, "all jobs");
    });

    it("returns no job before it is due", async (adapter) => {
      await adapter.push(job({ dueAt: now() + 400 }));
      await assertNone(adapter, "before it is due");
      await wait(450);
      await pullOne(adapter);
    });

    it("gives a higher priority first, then what is due longer", async (adapter) => {
      const time = now();
      await adapter.push(job({ id: "low", priority: -5, dueAt: time - 50 }));
      await adapter.push(job({ id: "younger", dueAt: time - 10 }));
      await adapter.push(job({ id: "older", dueAt: time - 20 }));
      await adapter.push(job({ id: "high", priority: 5, dueAt: time }));
      const order: string[] = [];
      for (let index = 0; index < 4; index++) order.push((await pullOne(adapter)).id);
      assertEqual(order, ["high", "older", "younger", "low"], "the order");
    });

    it("returns no more jobs of a name than its limit", async (adapter) => {
      for (let index = 0; index < 4; index++) await adapter.push(job({ name: "limited" }));
      await adapter.push(job({ name: "other", priority: -1 }));
      const limits = new Map([["limited", 2]]);
      const first = await adapter.pull(10, longLeaseMs, limits);
      assertEqual(countNames(first), { limited: 2, other: 1 }, "with a limit of 2");
      const none = await adapter.pull(10, longLeaseMs, new Map([["limited", 0]]));
      assertEqual(countNames(none), {}, "with a limit of 0");
      assertEqual(
        countNames(await pullAll(adapter, 2, longLeaseMs)),
        { limited: 2 },
        "without a limit",
      );
    });

    it("removes a job on ack, once", async (adapter) => {
      await adapter.push(job());
      const { id, lease } = await pullOne(adapter, shortLeaseMs);
      assertEqual(await adapter.ack(id, lease), true, "the first ack");
      assertEqual(await adapter.ack(id, lease), false, "the second ack");
      await wait(shortLeaseMs + 100);
      await assertNone(adapter, "after the end of its lease");
    });

    it("returns a job again once its lease has expired, as the next attempt", async (adapter) => {
      await adapter.push(job());
      const first = await pullOne(adapter, shortLeaseMs);
      await assertNone(adapter, "during the lease");
      await wait(shortLeaseMs + 100);
      const second = await pullOne(adapter);
      assertEqual([second.id, second.attempt], [first.id, 2], "the job and its attempt");
      assertEqual(second.lease === first.lease, false, "the lease is the same");
    });

    it("extends a lease on renew unless it is stale, if supported", async (adapter) => {
      if (adapter.renew === undefined) return;
      await adapter.push(job());
      const { id, lease } = await pullOne(adapter, shortLeaseMs);
      assertEqual(await adapter.renew(id, lease, shortLeaseMs * 4), true, "the renewal");
      await wait(shortLeaseMs + 100);
      await assertNone(adapter, "after the end of the first lease");
      assertEqual(await adapter.renew(id, lease, shortLeaseMs), true, "a second renewal");
      await wait(shortLeaseMs + 100);
      const second = await pullOne(adapter);
      assertEqual([second.id, second.attempt], [id, 2], "the job and its attempt");
      assertEqual(
        await adapter.renew(id, lease, longLeaseMs),
        false,
        "the renewal of a stale lease",
      );
      assertEqual(await adapter.ack(id, second.lease), true, "the ack of the holder");
      assertEqual(await adapter.renew(id, second.lease, longLeaseMs), false, "after the ack");
      await assertNone(adapter, "after the ack");
    });

    it("ignores calls with a stale lease", async (adapter) => {
      await adapter.push(job());
      const late = await pullOne(adapter, shortLeaseMs);
      await wait(shortLeaseMs + 100);
      const current = await pullOne(adapter, shortLeaseMs * 4);
      assertEqual(await adapter.ack(late.id, late.lease), false, "a late ack");
      assertEqual(await adapter.retry(late.id, late.lease, now()), false, "a late retry");
      assertEqual(await adapter.dead(late.id, late.lease, "late"), false, "a late dead");
      await assertNone(adapter, "while the second lease runs");
      assertEqual((await adapter.failed?.(10))?.length ?? 0, 0, "failed jobs");
      assertEqual(await adapter.ack(current.id, current.lease), true, "the ack of the holder");
      await wait(shortLeaseMs * 4);
      await assertNone(adapter, "after the ack of the holder");
    });

    it("returns a retried job at its time, as the next attempt", async (adapter) => {
      await adapter.push(job());
      const first = await pullOne(adapter, longLeaseMs);
      assertEqual(await adapter.retry(first.id, first.lease, now() + 400), true, "retry");
      await assertNone(adapter, "before its time");
      await wait(450);
      const second = await pullOne(adapter);
      assertEqual([second.id, second.attempt], [first.id, 2], "the job and its attempt");
      assertEqual(second.payload, first.payload, "the payload");
      assertEqual(await adapter.ack(first.id, first.lease), false, "the lease of the first");
    });

    it("returns a released job at its time, as the same attempt, if supported", async (adapter) => {
      if (adapter.release === undefined) return;
      await adapter.push(job());
      const first = await pullOne(adapter, longLeaseMs);
      assertEqual(await adapter.release(first.id, first.lease, now() + 400), true, "release");
      assertEqual(await adapter.release(first.id, first.lease, now()), false, "a second release");
      await assertNone(adapter, "before its time");
      await wait(450);
      const second = await pullOne(adapter);
      assertEqual([second.id, second.attempt], [first.id, 1], "the job and its attempt");
      assertEqual(second.payload, first.payload, "the payload");
      assertEqual(await adapter.ack(first.id, first.lease), false, "the lease of the first");
      assertEqual(await adapter.ack(second.id, second.lease), true, "the lease of the second");
    });

    it("returns a separate copy of the payload to each attempt", async (adapter) => {
      const payload = { list: [1] };
      await adapter.push(job({ payload }));
      const first = await pullOne(adapter);
      (first.payload as typeof payload).list.push(2);
      await adapter.retry(first.id, first.lease, now());
      assertEqual((await pullOne(adapter)).payload, { list: [1] }, "the payload");
    });

    it("does not return a failed job", async (adapter) => {
      await adapter.push(job());
      const { id, lease } = await pullOne(adapter, shortLeaseMs);
      assertEqual(await adapter.dead(id, lease, "broken"), true, "dead");
      await wait(shortLeaseMs + 100);
      await assertNone(adapter, "after it has failed");
    });

    it("lists failed jobs and makes them pending again, if supported", async (adapter) => {
      if (adapter.failed === undefined || adapter.retryFailed === undefined) return;
      const pushed = job({ payload: { kept: [1, "two"] } });
      await adapter.push(pushed);
      const { id, lease } = await pullOne(adapter);
      await adapter.dead(id, lease, "broken");
      const [failed, ...more] = await adapter.failed(10);
      assertEqual(more.length, 0, "other failed jobs");
      const { failedAt, ...rest } = failed ?? { failedAt: Number.NaN };
      const { name, payload } = pushed;
      assertEqual(rest, { id, name, payload, attempts: 1, error: "broken" }, "the failed job");
      assertEqual(Math.abs(failedAt - now()) < 60_000, true, "failedAt is a time");
      assertEqual(await adapter.retryFailed("no such id"), false, "an unknown id");
      assertEqual(await adapter.retryFailed(id), true, "a known id");
      assertEqual((await adapter.failed(10)).length, 0, "failed jobs afterwards");
      const again = await pullOne(adapter);
      assertEqual([again.id, again.attempt], [id, 1], "the job and its attempt");
    });

    it("ignores a job whose id is pending, and accepts the id afterwards", async (adapter) => {
      await adapter.push(job({ id: "same" }));
      await adapter.push(job({ id: "same" }));
      const first = await pullOne(adapter);
      await assertNone(adapter, "beside the first");
      await adapter.push(job({ id: "same" }));
      await assertNone(adapter, "while the first runs");
      await adapter.ack(first.id, first.lease);
      await assertNone(adapter, "after the first");
      await adapter.push(job({ id: "same" }));
      assertEqual((await pullOne(adapter)).id, "same", "the next of that id");
    });

    it("counts pending jobs, if supported", async (adapter) => {
      if (adapter.size === undefined) return;
      await adapter.push(job());
      await adapter.push(job({ dueAt: now() + longLeaseMs }));
      assertEqual(await adapter.size(), 2, "two jobs");
      const { id, lease } = await pullOne(adapter);
      assertEqual(await adapter.size(), 2, "one of them running");
      await adapter.ack(id, lease);
      assertEqual(await adapter.size(), 1, "one of them done");
    });
  });
}
