import { Queue as BullmqQueue, Worker } from "bullmq";
import type { QueueAdapter } from "espalier";
import { Pool } from "pg";
import { PgBoss } from "pg-boss";
import { BullmqQueueAdapter, migratePostgres, PostgresQueueAdapter, Queue } from "./espalier.ts";

/** A queue with one worker, whose jobs call `onJob`. */
export interface JobSystem {
  enqueue(id: number): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Starts a queue and its worker. */
export type StartJobSystem = (onJob: (id: number) => void) => Promise<JobSystem>;

/** A way to run jobs. */
export interface JobSubject {
  readonly subject: string;
  readonly server: "redis" | "postgres";
  /** Subject with which it is compared; undefined for one that is not from Espalier. */
  readonly peer?: string;
  readonly start: StartJobSystem;
}

const concurrency = 50;
/** Shortest interval of pg-boss, and that of the bare loop. */
const pollMs = 500;

/** Returns the ways to run jobs over these servers. */
export function jobSubjects(redisPort: number, postgresUrl: string): readonly JobSubject[] {
  const connection = { host: "127.0.0.1", port: redisPort };
  return [
    {
      subject: "Espalier on BullMQ",
      server: "redis",
      peer: "BullMQ",
      start: (onJob) =>
        startEspalier(new BullmqQueueAdapter({ connection, prefix: "espalier" }), onJob),
    },
    { subject: "BullMQ", server: "redis", start: (onJob) => startBullmq(connection, onJob) },
    {
      subject: "Espalier on PostgreSQL",
      server: "postgres",
      peer: "SKIP LOCKED",
      start: (onJob) => startEspalierOnPostgres(postgresUrl, onJob),
    },
    {
      subject: "SKIP LOCKED",
      server: "postgres",
      start: (onJob) => startSkipLocked(postgresUrl, onJob),
    },
    { subject: "pg-boss", server: "postgres", start: (onJob) => startPgBoss(postgresUrl, onJob) },
  ];
}

async function startEspalierOnPostgres(
  url: string,
  onJob: (id: number) => void,
): Promise<JobSystem> {
  const pool = new Pool({ connectionString: url });
  await migratePostgres({ client: pool });
  const system = await startEspalier(new PostgresQueueAdapter({ client: pool }), onJob);
  const stop = async (): Promise<void> => {
    await system.stop();
    await pool.end();
  };
  return { ...system, stop };
}

async function startEspalier(
  adapter: QueueAdapter,
  onJob: (id: number) => void,
): Promise<JobSystem> {
  const queue = new Queue({
    adapter,
    createJobContext: () => ({}),
    concurrency,
    timeoutMs: 30_000,
  });
  queue.process("work", async ({ payload }) => onJob(Number(payload)), { concurrency });
  await queue.start();
  return { enqueue: (id) => queue.enqueue("work", id), stop: () => queue.stop() };
}

async function startBullmq(
  connection: { host: string; port: number },
  onJob: (id: number) => void,
): Promise<JobSystem> {
  const queue = new BullmqQueue("work", { connection });
  const worker = new Worker("work", async ({ data }) => onJob(Number(data)), {
    connection,
    concurrency,
  });
  await worker.waitUntilReady();
  return {
    // The options under which Espalier stores a job.
    enqueue: (id) =>
      queue.add("work", id, {
        jobId: crypto.randomUUID(),
        attempts: 3,
        priority: 1,
        removeOnComplete: true,
      }),
    stop: async () => {
      await worker.close();
      await queue.close();
    },
  };
}

/** The least that runs each job once: a table, a loop, and a deletion for each job. */
async function startSkipLocked(url: string, onJob: (id: number) => void): Promise<JobSystem> {
  const pool = new Pool({ connectionString: url });
  await pool.query(
    "create table if not exists bare (id int primary key, leased_until timestamptz)",
  );
  let isStopping = false;
  const take = `update bare set leased_until = now() + interval '30 s' where id in (
    select id from bare where leased_until is null order by id limit ${concurrency} for update skip locked
  ) returning id`;
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const { rows } = await pool.query(take);
      await Promise.all(
        rows.map(async ({ id }) => {
          onJob(id);
          await pool.query("delete from bare where id = $1", [id]);
        }),
      );
      if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  const running = run();
  return {
    enqueue: (id) => pool.query("insert into bare values ($1)", [id]),
    stop: async () => {
      isStopping = true;
      await running;
      await pool.end();
    },
  };
}

async function startPgBoss(url: string, onJob: (id: number) => void): Promise<JobSystem> {
  const boss = new PgBoss(url);
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue("work");
  const options = { batchSize: concurrency, pollingIntervalSeconds: pollMs / 1000 };
  await boss.work<{ id: number }>("work", options, async (jobs) => {
    for (const { data } of jobs) onJob(data.id);
  });
  return {
    enqueue: (id) => boss.send("work", { id }),
    stop: () => boss.stop({ graceful: false }),
  };
}
