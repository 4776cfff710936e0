import { Application } from "espalier";
import { PostgresBroadcastAdapter, type PostgresClient } from "espalier/postgres";
import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { broadcastAdapterSuite } from "../../src/testing/broadcast-adapter-suite.ts";
import { expectReplacement } from "../support/expect-replacement.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { startSilentProxy } from "../support/silent-proxy.ts";

describe.skipIf(noPostgres !== undefined)(`PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  let pool: Pool;
  let sql: postgres.Sql;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url });
    pool.on("error", () => {});
    sql = postgres(server.url, { onnotice: () => {} });
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await sql?.end({ timeout: 1 });
    await server?.stop();
  });

  const clients: Record<string, () => PostgresClient> = {
    pg: () => pool,
    "postgres.js": () => sql,
  };

  for (const [name, client] of Object.entries(clients)) {
    const createAdapter = () => new PostgresBroadcastAdapter({ client: client() });

    broadcastAdapterSuite({
      name: `PostgreSQL with ${name}`,
      describe,
      it,
      createAdapter,
      limitBytes: 8000,
    });

    test(`${name}: subscriptions come back when the server was restarted`, async () => {
      const app = new Application({ logger: createRecordingLogger() }).useBroadcast(
        createAdapter(),
      );
      const seen: unknown[] = [];
      app.onBroadcast("news", (payload) => seen.push(payload));
      await app.request("/");
      await app.broadcast("news", "before");
      await expect.poll(() => seen).toEqual(["before"]);
      await server.restart(500);
      await expect
        .poll(
          async () => {
            await app.broadcast("news", "after").catch(() => {});
            return seen.includes("after");
          },
          { timeout: 20_000, interval: 200 },
        )
        .toBe(true);
      await app.stop();
    }, 40_000);
  }

  test("pg: subscriptions come back when their connection was dropped silently", async () => {
    const proxy = await startSilentProxy(server.port);
    const url = server.url.replace(`:${server.port}`, `:${proxy.port}`);
    const proxied = new Pool({ connectionString: url, max: 2 });
    proxied.on("error", () => {});
    const adapter = new PostgresBroadcastAdapter({ client: proxied });
    const other = new PostgresBroadcastAdapter({ client: pool });
    const seen: string[] = [];
    try {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      await adapter.subscribe("news", (message) => seen.push(message));
      await expectReplacement(proxy, other, seen);
    } finally {
      vi.useRealTimers();
      adapter.close();
      proxy.close();
      await proxied.end();
    }
  });

  test("channels keep applications apart, and notifications of other programs are ignored", async () => {
    const [one, other] = ["one", "other"].map(
      (channel) => new PostgresBroadcastAdapter({ client: pool, channel }),
    );
    const seen: string[] = [];
    await other?.subscribe("news", (message) => seen.push(message));
    await one?.publish("news", "from one");
    await pool.query("select pg_notify('other', 'hello')");
    await other?.publish("news", "from other");
    await expect.poll(() => seen).toEqual(["from other"]);
    await other?.close();
  });

  test("a client that cannot listen publishes, and refuses subscriptions", async () => {
    const client = async (text: string, values: never[]) => (await pool.query(text, values)).rows;
    const adapter = new PostgresBroadcastAdapter({ client: client as never });
    await adapter.publish("news", "message");
    await expect(adapter.subscribe("news", () => {})).rejects.toMatchObject({
      code: "ERR_POSTGRES_BAD_CLIENT",
    });
    expect(() => new PostgresBroadcastAdapter({ client: pool, channel: "it's" })).toThrow(
      'The option "channel" of PostgresBroadcastAdapter must be a name',
    );
  });
});
