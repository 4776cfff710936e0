// One process of the application: web and worker. Appends what it does to a file, with one write for each line, so
// that nothing is lost when it is killed.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Application, json, RateLimitMiddleware, SessionMiddleware, session } from "espalier";
import { BullmqQueueAdapter } from "espalier/bullmq";
import { PostgresQueueAdapter } from "espalier/postgres";
import {
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisSessionStore,
} from "espalier/redis";
import { Redis } from "ioredis";
import { Pool } from "pg";

const { ENGINE, PORT, LOG = "", REDIS_PORT, POSTGRES_URL } = process.env;
const record = (line: string): void => appendFileSync(LOG, `${line}\n`);

const client = new Redis(Number(REDIS_PORT), { maxRetriesPerRequest: 1 });
client.on("error", () => {});
const app = new Application({
  host: "127.0.0.1",
  queue: { leaseMs: 5_000, pollMs: 500 },
});
app.useCacheStore(new RedisCacheStore({ client }));
app.useLockStore(new RedisLockStore({ client }));
app.useQueue(ENGINE === "postgres" ? createPostgresQueue() : createBullmqQueue());

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
  limit: 100,
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
    return "value";
  };
  return json(await app.cacheRemember(key, produce, 600_000, { across: true }));
});
router.get(
  "/visit",
  (ctx) => {
    const count = Number(session(ctx).get("count") ?? 0) + 1;
    session(ctx).set("count", count);
    return json({ count });
  },
  { middleware: [sessions] },
);

await app.listen({ port: Number(PORT) });
console.log(`listening on ${PORT}`);

function createBullmqQueue(): BullmqQueueAdapter {
  return new BullmqQueueAdapter({ connection: { host: "127.0.0.1", port: Number(REDIS_PORT) } });
}

function createPostgresQueue(): PostgresQueueAdapter {
  const pool = new Pool({ connectionString: POSTGRES_URL ?? "", connectionTimeoutMillis: 1_000 });
  pool.on("error", () => {});
  return new PostgresQueueAdapter({ client: pool });
}
