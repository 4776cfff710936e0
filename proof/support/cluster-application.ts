import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Application, json, RateLimitMiddleware, SessionMiddleware } from "espalier";
import { BullmqQueueAdapter } from "espalier/bullmq";
import { PostgresQueueAdapter } from "espalier/postgres";
import {
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisSessionStore,
} from "espalier/redis";
import { Redis, type RedisOptions } from "ioredis";
import { Pool } from "pg";

const { ENGINE, LOG = "", REDIS_PORT, POSTGRES_URL } = process.env;

/** Port of this process. */
export const port: number = Number(process.env["PORT"]);

/** Appends a line to the log of the cluster with one write, so that nothing is lost when the process is killed. */
function record(line: string): void {
  appendFileSync(LOG, `${line}\n`);
}

/** Options of an application. */
export interface ClusterApplicationOptions {
  /** Requests that the limit in Redis admits in ten minutes. */
  readonly limit: number;
  readonly redis?: RedisOptions;
}

/** An application, and what its process closes at the end. */
export interface ClusterApplication {
  readonly app: Application;
  readonly client: Redis;
  readonly pool: Pool;
  readonly sessions: SessionMiddleware;
}

/**
 * Creates the application of one process of a cluster, web and worker: the environment names its engine for jobs, its
 * servers and its log.
 */
export function createClusterApplication({
  limit,
  redis,
}: ClusterApplicationOptions): ClusterApplication {
  const client = new Redis(Number(REDIS_PORT), { maxRetriesPerRequest: 1, ...redis });
  client.on("error", () => {});
  const pool = new Pool({ connectionString: POSTGRES_URL ?? "", connectionTimeoutMillis: 1_000 });
  pool.on("error", () => {});
  const connection = { host: "127.0.0.1", port: Number(REDIS_PORT) };
  const app = new Application({
    host: "127.0.0.1",
    queue: { leaseMs: 5_000, pollMs: 500 },
  });
  app.useCacheStore(new RedisCacheStore({ client }));
  app.useLockStore(new RedisLockStore({ client }));
  app.useQueue(
    ENGINE === "postgres"
      ? new PostgresQueueAdapter({ client: pool })
      : new BullmqQueueAdapter({ connection }),
  );

  app.getQueue().process(
    "work",
    async ({ id }) => {
      record(`start ${id}`);
      await sleep(150);
      record(`end ${id}`);
    },
    { concurrency: 10, timeoutMs: 10_000 },
  );
  app.schedule("*/5 * * * * *", ({ scheduledTime }) => record(`tick ${scheduledTime}`), {
    once: true,
  });

  const limiter = new RateLimitMiddleware({
    limit,
    windowMs: 600_000,
    key: () => "everyone",
    store: new RedisRateLimitStore({ client }),
  });
  const sessions = new SessionMiddleware({
    secret: "a secret of at least thirty-two bytes",
    store: new RedisSessionStore({ client }),
  });
  const router = app.getRouter();
  router.post("/jobs/:id", async (ctx) => {
    const backoff = { type: "fixed", delayMs: 200 } as const;
    await app.getQueue().enqueue("work", {}, { id: ctx.params.id, maxAttempts: 20, backoff });
    return json({}, 202);
  });
  router.get("/limited", () => json({}), { middleware: [limiter] });
  router.get("/remember/:key", async (ctx) => {
    const { key } = ctx.params;
    const produce = async (): Promise<string> => {
      record(`produce ${key}`);
      await sleep(200);
      return `value of ${key}`;
    };
    return json(await app.cacheRemember(key, produce, 600_000, { across: true }));
  });
  return { app, client, pool, sessions };
}
