import { assertEqual } from "../assertions.ts";
import { countNames, longLeaseMs, type QueueAdapterSuiteTools } from "./suite-tools.ts";

/** Tests which jobs a pull returns, and in which order. */
export function testDelivery(tools: QueueAdapterSuiteTools): void {
  tools.it("returns no job while it is empty", async (adapter) => {
    await tools.assertNone(adapter, "an empty adapter");
  });

  tools.it(
    "returns a job as it was pushed, as its first attempt and with a lease",
    async (adapter) => {
      const backoff = { type: "fixed", delayMs: 5 } as const;
      const pushed = tools.job({ maxAttempts: 7, priority: 3, backoff });
      await adapter.push([pushed]);
      const { lease, dueAt, ...pulled } = await tools.pullOne(adapter);
      const { dueAt: _dueAt, ...expected } = pushed;
      assertEqual(pulled, { ...expected, attempt: 1 }, "the job");
      assertEqual(typeof lease === "string" && lease !== "", true, "the lease is a string");
      assertEqual(Number.isFinite(dueAt), true, "dueAt is a time");
    },
  );

  tools.it("stores any JSON payload and any name", async (adapter) => {
    const payloads: unknown[] = [
      null,
      false,
      0,
      "",
      "\u0000 \ud83c\udf33 \u2028",
      { "\u0000": "\ud800", "\udc00": "\ufffd" },
      [],
      {},
      [[null, { a: [1, -0.5, 1e300] }]],
      JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toString":2}'),
    ];
    const names = ["__proto__", "constructor", "a/b/c", "ünï-日本", "..", "x".repeat(256)];
    const jobs = payloads.map((payload, index) => {
      const name = names[index % names.length] ?? "test";
      return tools.job({ id: `${name.slice(0, 200)}/${index}`, name, payload });
    });
    await adapter.push(jobs);
    const pulled = await tools.pullAll(adapter, payloads.length, names);
    assertEqual(pulled.length, payloads.length, "how many came back");
    for (const { id, name, payload } of pulled) {
      const index = Number(id.slice(id.lastIndexOf("/") + 1));
      assertEqual(name, names[index % names.length], "the name");
      assertEqual(JSON.stringify(payload), JSON.stringify(payloads[index]), "the payload");
    }
  });

  tools.it("stores every job of a large push", async (adapter) => {
    const jobs = Array.from({ length: 250 }, () => tools.job());
    await adapter.push(jobs);
    const pulled = await tools.pullAll(adapter, jobs.length + 1);
    const ids = new Set(pulled.map(({ id }) => id));
    assertEqual([pulled.length, ids.size], [jobs.length, jobs.length], "the jobs");
  });

  tools.it("returns at most `max` jobs, and every job once", async (adapter) => {
    await adapter.push(
      Array.from({ length: 25 }, (_, index) => tools.job({ id: `of-25-${index}` })),
    );
    const first = await tools.pull(adapter, 10);
    assertEqual(first.length, 10, "the first pull of 10");
    const rest = await tools.pullAll(adapter, 15);
    const ids = new Set([...first, ...rest].map(({ id }) => id));
    assertEqual(ids.size, 25, "different jobs");
    await tools.assertNone(adapter, "after all were given");
  });

  tools.it("never returns one job to two concurrent pulls", async (adapter) => {
    await adapter.push(Array.from({ length: 20 }, () => tools.job()));
    const pulls = await Promise.all(Array.from({ length: 5 }, () => tools.pull(adapter, 10)));
    const ids = pulls.flat().map(({ id }) => id);
    assertEqual(new Set(ids).size, ids.length, "each job in one pull");
    const others = await tools.pullAll(adapter, 20 - ids.length);
    assertEqual(ids.length + others.length, 20, "all jobs");
  });

  tools.it("returns no job before it is due", async (adapter) => {
    await adapter.push([tools.job({ dueAt: tools.now() + 400 })]);
    await tools.assertNone(adapter, "before it is due");
    await tools.wait(450);
    await tools.pullOne(adapter);
  });

  tools.it(
    "returns the higher priority first, then the earlier due time or arrival",
    async (adapter) => {
      const time = tools.now();
      // Due time and arrival have the same order.
      await adapter.push([tools.job({ id: "low", priority: -5, dueAt: time - 50 })]);
      await adapter.push([tools.job({ id: "first", dueAt: time - 20 })]);
      await adapter.push([tools.job({ id: "second", dueAt: time - 10 })]);
      await adapter.push([tools.job({ id: "high", priority: 5, dueAt: time })]);
      const order: string[] = [];
      for (let index = 0; index < 4; index++) order.push((await tools.pullOne(adapter)).id);
      assertEqual(order, ["high", "first", "second", "low"], "the order");
    },
  );

  tools.it("leaves jobs of other names in the queue", async (adapter) => {
    await adapter.push([tools.job({ name: "a", priority: 5 }), tools.job({ name: "b" })]);
    const own = await tools.pull(adapter, 10, longLeaseMs, ["b", "c"]);
    assertEqual(countNames(own), { b: 1 }, "with the names b and c");
    const [left, ...more] = await tools.pull(adapter, 10, longLeaseMs, ["a"]);
    assertEqual([left?.name, left?.attempt, more.length], ["a", 1, 0], "with the name a");
  });

  tools.it("returns a job behind 1,100 due jobs of another name", async (adapter) => {
    const dueAt = tools.now() - 60_000;
    const others = Array.from({ length: 1100 }, () => tools.job({ name: "other", dueAt }));
    await adapter.push([...others, tools.job()]);
    assertEqual((await tools.pullOne(adapter)).name, "test", "the job");
    const [left] = await tools.pull(adapter, 1, longLeaseMs, ["other"]);
    assertEqual(left?.name, "other", "a job of the other name");
  });

  tools.it("returns no more jobs of a name than requested", async (adapter) => {
    const limited = Array.from({ length: 4 }, () => tools.job({ name: "limited" }));
    await adapter.push([...limited, tools.job({ name: "other", priority: -1 })]);
    const names = new Map([
      ["limited", 2],
      ["other", 5],
    ]);
    const first = await tools.pullNames(adapter, 10, names);
    assertEqual(countNames(first), { limited: 2, other: 1 }, "with a limit of 2");
    const rest = await tools.pullAll(adapter, 3, ["limited"]);
    assertEqual(countNames(rest), { limited: 2 }, "with a larger limit");
  });

  tools.it("ignores a job whose id is pending, and accepts the id afterwards", async (adapter) => {
    await adapter.push([tools.job({ id: "same" })]);
    await adapter.push([tools.job({ id: "same" })]);
    const first = await tools.pullOne(adapter);
    await tools.assertNone(adapter, "beside the first");
    await adapter.push([tools.job({ id: "same" })]);
    await tools.assertNone(adapter, "while the first runs");
    await adapter.ack(first.id, first.lease);
    await tools.assertNone(adapter, "after the first");
    await adapter.push([tools.job({ id: "same" })]);
    assertEqual((await tools.pullOne(adapter)).id, "same", "the next of that id");
  });

  tools.it(
    "keeps an id taken for keepIdMs, even after its job has ended, if supported",
    async (adapter) => {
      if (adapter.features?.includes("keepIdMs") !== true) return;
      const again = () => tools.job({ id: "kept", keepIdMs: 2000 });
      await adapter.push([again()]);
      const { id, lease } = await tools.pullOne(adapter);
      await adapter.ack(id, lease);
      await adapter.push([again()]);
      await tools.assertNone(adapter, "while the id is kept");
      await tools.wait(2100);
      await adapter.push([again()]);
      assertEqual((await tools.pullOne(adapter)).id, "kept", "the next of that id");
    },
  );

  tools.it(
    "skips a job without keepIdMs while an earlier job keeps its id, if supported",
    async (adapter) => {
      if (adapter.features?.includes("keepIdMs") !== true) return;
      // Looks like a generated id, but is not one.
      const kept = crypto.randomUUID();
      await adapter.push([tools.job({ id: kept, keepIdMs: 2000 })]);
      const { id, lease } = await tools.pullOne(adapter);
      await adapter.ack(id, lease);
      await adapter.push([tools.job({ id: kept })]);
      await tools.assertNone(adapter, "while the id is kept");
      await tools.wait(2100);
      await adapter.push([tools.job({ id: kept })]);
      assertEqual((await tools.pullOne(adapter)).id, kept, "the next of that id");
    },
  );
}
