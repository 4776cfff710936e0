import { drizzle } from "drizzle-orm/node-postgres";
import { drizzle as drizzlePostgresJs } from "drizzle-orm/postgres-js";
import { Application } from "espalier";
import { PostgresQueueAdapter } from "espalier/postgres";
import { Pool } from "pg";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

// Nothing connects: a refused client runs no statement.
const pool = new Pool({ connectionString: "postgres://127.0.0.1:1/app" });
const sql = postgres("postgres://127.0.0.1:1/app");

/** A client with the methods of Bun's, which records the statements that it runs. */
function createBunClient(...methods: string[]) {
  const statements: string[] = [];
  const unsafe = async (text: string) => {
    statements.push(text);
    return [];
  };
  const names = ["begin", ...methods];
  const client = { unsafe, ...Object.fromEntries(names.map((name) => [name, () => {}])) };
  return { client, statements };
}

function createApp(): Application {
  const app = new Application({ logger: createRecordingLogger() });
  app.useQueue(new PostgresQueueAdapter({ client: pool, notifications: false }));
  return app;
}

describe("the option transaction", () => {
  test.each([
    ["a pool of pg", pool],
    ["postgres.js", sql],
    ["Bun", createBunClient().client],
    ["Drizzle over pg", drizzle(pool)],
    ["Drizzle over postgres.js", drizzlePostgresJs(sql)],
  ])("refuses a client with many connections: %s", async (_, transaction) => {
    const queue = createApp().getQueue();
    const refusal = {
      code: "ERR_POSTGRES_BAD_CLIENT",
      message: expect.stringContaining("outside"),
    };
    await expect(queue.enqueue("mail", {}, { transaction })).rejects.toMatchObject(refusal);
    const jobs = [{ name: "mail", payload: {} }];
    await expect(queue.enqueueMany(jobs, { transaction })).rejects.toMatchObject(refusal);
  });

  test.each(["savepoint", "release"])("accepts one connection of Bun, with %s", async (method) => {
    const { client, statements } = createBunClient(method);
    await createApp().getQueue().enqueue("mail", {}, { transaction: client });
    expect(statements).toHaveLength(1);
  });
});
