import { once } from "node:events";
import { PostgresQueueAdapter } from "espalier/postgres";
import {
  RedisBroadcastAdapter,
  RedisCacheStore,
  RedisLockStore,
  RedisRateLimitStore,
  RedisTokenStore,
} from "espalier/redis";
import { Redis } from "ioredis";
import { CompiledQuery, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { createQuery, type Database } from "../database/database.ts";
import type { Platform } from "../platform.ts";
import { DiskFiles } from "./disk-files.ts";

export interface ManyProcessesOptions {
  /** `postgres://…` */
  readonly databaseUrl: string;
  /** `redis://…`; the server must not evict keys. */
  readonly redisUrl: string;
  /** Folder of attachments, which all processes share. */
  readonly folder: string;
}

/** Several processes that share PostgreSQL and Redis. */
export function manyProcesses({ databaseUrl, redisUrl, folder }: ManyProcessesOptions): Platform {
  const pool = new Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 1_000 });
  const query = createQuery(new PostgresDialect({ pool }));
  // Without the queue a command fails while Redis is unavailable, instead of taking effect after the client's error.
  const client = new Redis(redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
  const files = new DiskFiles(folder);
  const tokens = new RedisTokenStore({ client });

  return {
    database: (app): Database => ({
      query,
      commit: (statements, jobs) =>
        query.transaction().execute(async (transaction) => {
          for (const statement of statements) await transaction.executeQuery(statement);
          if (jobs.length === 0) return;
          // The jobs exist once the transaction has committed.
          const run = async (text: string, values: readonly unknown[]) =>
            (await transaction.executeQuery(CompiledQuery.raw(text, [...values]))).rows;
          await app.getQueue().enqueueMany(jobs, { transaction: run });
        }),
    }),
    files: () => files,
    tokens: () => tokens,
    rateLimits: new RedisRateLimitStore({ client }),
    connect(app) {
      pool.on("error", ({ message }) =>
        app.logger.warn("PostgreSQL is unavailable.", { reason: message }),
      );
      client.on("error", ({ message }) =>
        app.logger.warn("Redis is unavailable.", { reason: message }),
      );
      app.useQueue(new PostgresQueueAdapter({ client: pool }));
      app.useCacheStore(new RedisCacheStore({ client }));
      app.useLockStore(new RedisLockStore({ client }));
      app.useBroadcast(new RedisBroadcastAdapter({ client }));
      app.registerProvider({
        register() {},
        // Commands fail until the connection is established. Without Redis the process starts nevertheless.
        async boot() {
          if (client.status === "ready") return;
          await once(client, "ready", { signal: AbortSignal.timeout(5_000) }).catch(() => {});
        },
        async shutdown() {
          client.disconnect();
          await query.destroy();
        },
      });
    },
  };
}
