import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { drizzle as drizzlePostgresJs } from "drizzle-orm/postgres-js";
import { Application, type EnqueueOptions } from "espalier";
import { migratePostgres, type PostgresClient, PostgresQueueAdapter } from "espalier/postgres";
import { queueAdapterSuite } from "espalier/testing";
import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { createJobRecord } from "../../src/queue/create-job-record.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { countPending, pullJobs } from "../support/pull-jobs.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

describe.skipIf(noPostgres !== undefined)(`jobs in PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  let pool: Pool;
  let sql: postgres.Sql;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url });
    pool.on("error", () => {});
    sql = postgres(server.url, { onnotice: () => {} });
    await pool.query("create table orders (id int primary key)");
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await sql?.end();
    await server?.stop();
  });

  async function createAdapter(client: PostgresClient): Promise<PostgresQueueAdapter> {
    schemas += 1;
    const schema = `queue_${schemas}`;
    await migratePostgres({ client, schema });
    return new PostgresQueueAdapter({ client, schema });
  }

  queueAdapterSuite({
    name: "PostgreSQL with pg",
    describe,
    it,
    createAdapter: () => createAdapter(pool),
  });
  queueAdapterSuite({
    name: "PostgreSQL with postgres.js",
    describe,
    it,
    createAdapter: () => createAdapter(sql),
  });

  /** Enqueues a job and inserts an order in one transaction of the application. */
  type Place = (
    id: number,
    enqueue: (options: EnqueueOptions) => Promise<unknown>,
    fails: boolean,
  ) => Promise<void>;

  const transactions: Record<string, Place> = {
    async pg(id, enqueue, fails) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        await client.query("insert into orders values ($1)", [id]);
        await enqueue({ transaction: client });
        await client.query(fails ? "rollback" : "commit");
      } finally {
        client.release();
      }
    },
    async "postgres.js"(id, enqueue, fails) {
      await sql.begin(async (transaction) => {
        await transaction`insert into orders values (${id})`;
        await enqueue({ transaction });
        if (fails) throw new Error("rolled back");
      });
    },
    async "Drizzle over pg"(id, enqueue, fails) {
      await drizzle(pool).transaction(async (transaction) => {
        await transaction.execute(drizzleSql`insert into orders values (${id})`);
        await enqueue({ transaction });
        if (fails) transaction.rollback();
      });
    },
    async "Drizzle over postgres.js"(id, enqueue, fails) {
      await drizzlePostgresJs(sql).transaction(async (transaction) => {
        await transaction.execute(drizzleSql`insert into orders values (${id})`);
        await enqueue({ transaction });
        if (fails) transaction.rollback();
      });
    },
  };

  test.each(Object.keys(transactions))(
    "%s: a job that is enqueued in a transaction exists exactly if it commits",
    async (name) => {
      const place = transactions[name] as Place;
      const app = new Application({ logger: createRecordingLogger() });
      const adapter = await createAdapter(pool);
      app.useQueue(adapter);
      const id = Object.keys(transactions).indexOf(name) * 10;
      const enqueue = (options: EnqueueOptions) =>
        app.getQueue().enqueue("order.placed", { id }, options);
      await place(id + 1, enqueue, true).catch(() => {});
      expect(await adapter.counts()).toMatchObject({ waiting: 0 });
      let seenBefore: unknown;
      await place(
        id + 2,
        async (options) => {
          await enqueue(options);
          seenBefore = await adapter.counts();
        },
        false,
      );
      expect(seenBefore).toMatchObject({ waiting: 0 });
      expect(await adapter.counts()).toMatchObject({ waiting: 1 });
      const { rows } = await pool.query("select id from orders where id between $1 and $2", [
        id,
        id + 9,
      ]);
      expect(rows).toEqual([{ id: id + 2 }]);
    },
  );

  test.each(["pg", "postgres.js"])(
    "%s: a new job wakes the worker of another process",
    async (name) => {
      const adapter = await createAdapter(name === "pg" ? pool : sql);
      const createProcess = (): Application => {
        const app = new Application({
          logger: createRecordingLogger(),
          queue: { pollMs: 60_000 },
        });
        app.useQueue(adapter);
        return app;
      };
      const worker = createProcess();
      let begun = 0;
      worker.getQueue().process("mail.send", () => {
        begun += 1;
      });
      await worker.boot();
      await worker.getQueue().start();
      const producer = createProcess();
      // The connection that listens is opened in the background.
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (let job = 1; job <= 5; job += 1) {
        await producer.getQueue().enqueue("mail.send", {});
        // Without a notification, the worker would look for jobs after a minute.
        await expect.poll(() => begun, { interval: 5, timeout: 20_000 }).toBe(job);
      }
      await worker.stop();
      await producer.stop();
    },
  );

  test("the worker is woken again after PostgreSQL was restarted, and no job is lost", async () => {
    const restarted = await startPostgres();
    const client = new Pool({ connectionString: restarted.url });
    client.on("error", () => {});
    const [app, other] = [1, 2].map(
      () => new Application({ logger: createRecordingLogger(), queue: { pollMs: 60_000 } }),
    ) as [Application, Application];
    try {
      await migratePostgres({ client });
      for (const process of [app, other]) process.useQueue(new PostgresQueueAdapter({ client }));
      const ran: unknown[] = [];
      app.getQueue().process("count", ({ payload }) => void ran.push(payload));
      await app.getQueue().start();
      await other.getQueue().enqueue("count", 1);
      await expect.poll(() => ran).toEqual([1]);
      await restarted.restart();
      const enqueue = () => other.getQueue().enqueue("count", 2, { id: "two" });
      await expect.poll(() => enqueue().catch(() => "failed"), { timeout: 20_000 }).toBe("two");
      await expect.poll(() => ran, { timeout: 20_000 }).toEqual([1, 2]);
    } finally {
      await app.stop();
      await other.stop();
      await client.end();
      await restarted.stop();
    }
  }, 60_000);

  /** Creates an adapter and pushes jobs with these ids and options. */
  async function createFilled(jobs: readonly [id: string, options?: EnqueueOptions][]) {
    const adapter = await createAdapter(pool);
    const schema = `queue_${schemas}`;
    const defaults = { adapter, now: Date.now(), createId: () => "unused" };
    const push = (id: string, options: EnqueueOptions = {}) =>
      adapter.push([createJobRecord("x", options, { ...options, id }, defaults)]);
    for (const [id, options] of jobs) await push(id, options);
    return { adapter, schema, push };
  }

  test("a job whose id is pending stays as it is", async () => {
    const { adapter, push } = await createFilled([["same", { maxAttempts: 2 }]]);
    await push("same", { maxAttempts: 5 });
    const jobs = await pullJobs(adapter, 2, 60_000);
    expect(jobs).toMatchObject([{ payload: { maxAttempts: 2 }, maxAttempts: 2 }]);
  });

  test("a pull returns jobs by priority, then by due time, then in the order of arrival", async () => {
    const { adapter, schema } = await createFilled([
      ...["a", "b", "c"].map((id): [string] => [id]),
      ["urgent", { priority: 5 }],
      ["low", { priority: -5 }],
    ]);
    const due = "update jobs set due_at = '2026-01-01' where id in ('a', 'c', 'urgent', 'low')";
    await pool.query(due.replace("jobs", `${schema}.jobs`));
    const jobs = await pullJobs(adapter, 9, 60_000);
    expect(jobs.map(({ id }) => id)).toEqual(["urgent", "a", "c", "b", "low"]);
  });

  test("a lease ends with its job's retry, and at its time", async () => {
    const { adapter, push } = await createFilled([["retried"]]);
    const [retried] = await pullJobs(adapter, 1, 60_000);
    const lease = retried?.lease ?? "";
    expect(await adapter.retry("retried", lease, Date.now() + 60_000)).toBe(true);
    expect(await adapter.counts()).toMatchObject({ delayed: 1, running: 0 });
    expect(await adapter.ack("retried", lease)).toBe(false);
    expect(await adapter.cancel("retried")).toBe(true);

    await push("expired");
    await pullJobs(adapter, 1, 60_000);
    expect(await adapter.cancel("expired")).toBe(false);
    await push("short");
    await pullJobs(adapter, 1, 1);
    await expect.poll(() => adapter.cancel("short")).toBe(true);
  });

  test("failed jobs are listed in the order of their failure, with at most all their attempts", async () => {
    const { adapter } = await createFilled([]);
    for (const id of ["b", "a"]) {
      const defaults = { adapter, now: Date.now(), createId: () => id };
      await adapter.push([{ ...createJobRecord("x", id, {}, defaults), attempt: 9 }]);
      const [job] = await pullJobs(adapter, 1, 60_000);
      expect(await adapter.dead(id, job?.lease ?? "", "broken")).toBe(true);
    }
    expect(await adapter.failed(9)).toMatchObject([
      { id: "b", attempts: 3 },
      { id: "a", attempts: 3 },
    ]);
    expect(await adapter.failed(1)).toMatchObject([{ id: "b" }]);
  });

  test("a pull skips a job that another transaction has locked", async () => {
    const { adapter, schema } = await createFilled([["a"], ["b"]]);
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query(`select from ${schema}.jobs where id = 'a' for update`);
      expect(await pullJobs(adapter, 2, 60_000)).toMatchObject([{ id: "b" }]);
      await client.query("rollback");
    } finally {
      client.release();
    }
    expect(await pullJobs(adapter, 2, 60_000)).toMatchObject([{ id: "a" }]);
  });

  test("workers are notified of jobs that are due, and not of delayed or ignored ones", async () => {
    const { adapter, schema, push } = await createFilled([]);
    const client = await pool.connect();
    try {
      const notified: string[] = [];
      client.on("notification", ({ channel }) => void notified.push(channel));
      await client.query(`listen "${schema}.jobs"`);
      await push("delayed", { delayMs: 60_000 });
      await push("due");
      await push("due");
      const [job] = await pullJobs(adapter, 1, 60_000);
      await adapter.release("due", job?.lease ?? "");
      // Notifications arrive before the response to a later statement.
      await client.query("select 1");
      expect(notified).toEqual([`${schema}.jobs`, `${schema}.jobs`]);
    } finally {
      client.release(true);
    }
  });

  test("expired ids are removed, and others are kept", async () => {
    const adapter = await createAdapter(pool);
    const schema = `queue_${schemas}`;
    await pool.query(
      `insert into ${schema}.kept_ids values ('old', now() - interval '1 s'), ('new', now() + interval '1 h')`,
    );
    for (let push = 0; push < 1000; push += 1) await adapter.push([]);
    const ids = async () => (await pool.query(`select id from ${schema}.kept_ids`)).rows;
    await expect.poll(ids).toEqual([{ id: "new" }]);
  });

  test("a failed job whose id is pending again is dropped when it is retried", async () => {
    const adapter = await createAdapter(pool);
    const defaults = { adapter, now: Date.now(), createId: () => "same" };
    await adapter.push([createJobRecord("x", 1, { id: "same" }, defaults)]);
    const [job] = await pullJobs(adapter, 1, 60_000);
    await adapter.dead("same", job?.lease ?? "", "broken");
    await adapter.push([createJobRecord("x", 2, { id: "same" }, defaults)]);
    expect(await adapter.retryFailed("same")).toBe(true);
    expect(await adapter.counts()).toMatchObject({ waiting: 1, failed: 0 });
    expect(await pullJobs(adapter, 2, 60_000)).toMatchObject([{ payload: 2 }]);
  });

  test("a message that text cannot hold is stored with a replacement", async () => {
    const adapter = await createAdapter(pool);
    const app = new Application({ logger: createRecordingLogger() });
    app.useQueue(adapter);
    app.getQueue().process("fail", () => {
      throw new Error("a \0 b");
    });
    await app.getQueue().enqueue("fail", null, { maxAttempts: 1 });
    // The queue runs it by itself; it may be due a moment later where the clock of the server is set back.
    await expect
      .poll(() => app.getQueue().failed())
      .toMatchObject([{ error: "a \ufffd b", payload: null }]);
    await app.stop();
  });

  test("jobs that are enqueued or end at the same moment are one statement, and a stale lease is refused", async () => {
    schemas += 1;
    const schema = `queue_${schemas}`;
    await migratePostgres({ client: pool, schema });
    const statements: string[] = [];
    const adapter = new PostgresQueueAdapter({
      schema,
      client: async (text, values) => {
        statements.push(text);
        return (await pool.query(text, values)).rows;
      },
    });
    const defaults = { adapter, now: 0, createId: () => crypto.randomUUID() };
    const records = Array.from({ length: 20 }, (_, index) =>
      createJobRecord("x", index, {}, defaults),
    );
    const chosen = () => createJobRecord("x", null, { id: "same" }, defaults);
    await Promise.all([
      ...records.map((record) => adapter.push([record])),
      adapter.push([chosen(), chosen()]),
      adapter.push([chosen()]),
    ]);
    expect(statements).toHaveLength(1);
    expect(await adapter.cancel("same")).toBe(true);
    const jobs = await pullJobs(adapter, 20, 60_000);
    statements.length = 0;
    const [{ id, lease } = { id: "", lease: "" }] = jobs;
    const isCurrent = await Promise.all([
      adapter.ack(id, "another lease"),
      ...jobs.map((job) => adapter.ack(job.id, job.lease)),
      adapter.ack(id, lease),
    ]);
    expect(isCurrent).toEqual([false, ...jobs.map(() => true), false]);
    expect(jobs).toHaveLength(20);
    expect(statements).toHaveLength(1);
    expect(await countPending(adapter)).toBe(0);
    await pool.query(`drop schema ${schema} cascade`);
    const failed = await Promise.allSettled([
      adapter.ack("a", "b"),
      adapter.ack("c", "d"),
      adapter.push([chosen()]),
      adapter.push([chosen()]),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  });

  describe("prepared statements", () => {
    const clients = {
      pg: () => {
        const client = new Pool({ connectionString: server.url, max: 1 });
        return {
          client,
          end: () => client.end(),
          rows: async (text: string) => (await client.query(text)).rows,
        };
      },
      "postgres.js": () => {
        const client = postgres(server.url, { max: 1, onnotice: () => {} });
        return {
          client,
          end: () => client.end(),
          rows: async (text: string) => [...(await client.unsafe(text))],
        };
      },
    };

    test.each([
      ["pg", { notifications: false, prepare: true }, 3],
      ["pg", { notifications: false }, 0],
      ["postgres.js", { prepare: true }, 3],
      ["postgres.js", { prepare: false }, 0],
    ] as const)("%s with %j prepares %d", async (name, options, expected) => {
      const { client, end, rows } = clients[name]();
      schemas += 1;
      const schema = `queue_${schemas}`;
      await migratePostgres({ client, schema });
      const adapter = new PostgresQueueAdapter({ client, schema, ...options });
      for (let round = 0; round < 2; round += 1) {
        const defaults = { adapter, now: 0, createId: () => crypto.randomUUID() };
        await adapter.push([createJobRecord("x", round, {}, defaults)]);
        const [job] = await pullJobs(adapter, 1, 60_000);
        expect(job).toMatchObject({ payload: round });
        expect(await adapter.ack(job?.id ?? "", job?.lease ?? "")).toBe(true);
      }
      const prepared = await rows(
        `select statement from pg_prepared_statements where statement like '%"${schema}"%'`,
      );
      expect(prepared).toHaveLength(expected);
      await end();
    });
  });
});

test.each(["notifications", "prepare"])("%s must be a boolean", (option) => {
  const options = { client: async () => [], [option]: "no" as unknown as boolean };
  expect(() => new PostgresQueueAdapter(options)).toThrow(
    `The option "${option}" of PostgresQueueAdapter must be a boolean, got "no".`,
  );
});
