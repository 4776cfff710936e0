import { type Application, Auth } from "espalier";
import {
  migratePostgres,
  PostgresLockStore,
  PostgresQueueAdapter,
  PostgresRateLimitStore,
} from "espalier/postgres";
import {
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisSessionStore,
  RedisTokenStore,
} from "espalier/redis";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import type { FaultyStore } from "../support/faulty-store.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { noRedis, type RedisServer, startRedis } from "../support/redis-server.ts";
import { describeSeam, useFakeClock } from "./support/describe-seam.ts";
import { fails503, isBypassed, type Seam } from "./support/seam.ts";
import { addLimitedRoute, addLockedRoute, addSessionRoute } from "./support/store-routes.ts";

/** A page of a proxy in front: not a reply to any command. */
const garbage = "<html>502 Bad Gateway</html>" as never;
/** A reply that cannot be understood is a failure like any other. */
const garbageFails = { "answers garbage": { status: 503, afterMs: 0, openStatus: 503 } } as const;

const secret = "x".repeat(32);

describe.skipIf(noRedis !== undefined)(`the client of Redis ${noRedis ?? ""}`, () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.port);
    await redis.ping();
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  useFakeClock();

  const clientOver = (store: FaultyStore) => ({
    call: (command: string, ...args: string[]) =>
      store.run(() => redis.call(command, ...args), garbage),
  });

  const seams: readonly Seam[] = [
    {
      name: "cacheGet",
      store: "cache store",
      prepare: (app, store) => {
        app.useCacheStore(new RedisCacheStore({ client: clientOver(store) }));
        app.getRouter().get("/", async () => Response.json((await app.cacheGet("key")) ?? null));
      },
      expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
    },
    {
      name: "cacheRemember",
      store: "cache store",
      prepare: (app, store) => {
        app.useCacheStore(new RedisCacheStore({ client: clientOver(store) }));
        app.getRouter().get("/", async () => {
          return Response.json(await app.cacheRemember("remembered", () => "computed", 60_000));
        });
      },
      expected: { ...isBypassed, "answers garbage": { status: 200, afterMs: 0 } },
    },
    {
      name: "a rate limit",
      store: 'rate limit store of "default"',
      prepare: (app, store) =>
        addLimitedRoute(app, new RedisRateLimitStore({ client: clientOver(store) }), false),
      expected: { ...fails503, ...garbageFails },
    },
    {
      name: "a session that is read",
      store: "session store",
      sendsCookie: true,
      keysPerCall: 2,
      prepare: (app, store) =>
        addSessionRoute(app, new RedisSessionStore({ client: clientOver(store) })),
      expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
    },
    {
      name: "a token that may be revoked",
      store: 'store in the option "revocations" of Auth',
      prepare: (app, store) => {
        const revocations = new RedisTokenStore({ client: clientOver(store) });
        addTokenRoute(app, new Auth({ secret, revocations, logger: app.logger }));
      },
      expected: { ...fails503, "answers garbage": { status: 401, afterMs: 0 } },
    },
    {
      name: "a lock",
      store: "lock store",
      keysPerCall: 2,
      prepare: (app, store) => {
        app.useLockStore(new RedisLockStore({ client: clientOver(store) }));
        addLockedRoute(app);
      },
      expected: { ...fails503, ...garbageFails },
    },
  ];

  describe.each(seams)("$name", describeSeam);
});

describe.skipIf(noPostgres !== undefined)(`the client of PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  let pool: Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url, max: 20, idleTimeoutMillis: 0 });
    await migratePostgres({ client: pool });
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });
  useFakeClock();

  const clientOver = (store: FaultyStore) => ({
    query: (text: string, values?: (string | number | null)[]) =>
      store.run(() => pool.query(text, values), { rows: [{ html: garbage }] } as never),
  });

  const seams: readonly Seam[] = [
    {
      name: "a rate limit",
      store: 'rate limit store of "default"',
      prepare: (app, store) =>
        addLimitedRoute(app, new PostgresRateLimitStore({ client: clientOver(store) }), false),
      expected: { ...fails503, ...garbageFails },
    },
    {
      name: "a lock",
      store: "lock store",
      keysPerCall: 2,
      prepare: (app, store) => {
        app.useLockStore(new PostgresLockStore({ client: clientOver(store) }));
        addLockedRoute(app);
      },
      expected: { ...fails503, ...garbageFails },
    },
    {
      name: "enqueue",
      store: 'queue "postgres"',
      prepare: (app, store) => {
        app.useQueue(new PostgresQueueAdapter({ client: clientOver(store) }));
        app.getRouter().get("/", async () => {
          await app.getQueue().enqueue("mail.send", { to: "a@example.org" });
          return new Response();
        });
      },
      expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
    },
  ];

  describe.each(seams)("$name", describeSeam);
});

/** Adds the route `GET /`, which verifies a token. */
function addTokenRoute(app: Application, auth: Auth): void {
  app.getRouter().get("/", async () => {
    const user = await auth.verifyToken(await auth.generateToken({ id: 7 }));
    return new Response(null, { status: user === null ? 401 : 200 });
  });
}
