import {
  migratePostgres,
  PostgresLockStore,
  PostgresQueueAdapter,
  PostgresRateLimitStore,
  type RunPostgresQuery,
} from "espalier/postgres";
import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";

const attempt = { key: "client", limit: 1, windowMs: 60_000 };

describe("expired rows are looked for", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  function createClient() {
    let deletions = 0;
    let finish: (() => void) | undefined;
    const client: RunPostgresQuery = async (text) => {
      if (!text.startsWith("with expired")) return [];
      deletions += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      return [{ deleted: 0 }];
    };
    const end = async (): Promise<void> => {
      finish?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { client, end, deletions: () => deletions };
  }

  test.each([
    [
      "locks",
      (client: RunPostgresQuery) => {
        const store = new PostgresLockStore({ client });
        return () => store.acquire("import", "one", 1000);
      },
    ],
    [
      "rate limits",
      (client: RunPostgresQuery) => {
        const store = new PostgresRateLimitStore({ client });
        return () => store.consume(attempt);
      },
    ],
    [
      "ids of jobs",
      (client: RunPostgresQuery) => {
        const adapter = new PostgresQueueAdapter({ client });
        return () => adapter.push([]);
      },
    ],
  ])(
    "after a thousand calls, every ten seconds at most, and once at a time unless one hangs (%s)",
    async (_, create) => {
      const { client, end, deletions } = createClient();
      const call = create(client);
      const calls = async (count: number): Promise<number> => {
        for (let index = 0; index < count; index += 1) await call();
        return deletions();
      };
      expect(await calls(999)).toBe(0);
      expect(await calls(1)).toBe(1);
      await end();
      vi.advanceTimersByTime(9999);
      expect(await calls(1000)).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await calls(1)).toBe(2);
      vi.advanceTimersByTime(60_000);
      // The search before is still running.
      expect(await calls(1000)).toBe(2);
      await end();
      expect(await calls(1)).toBe(3);
      // This one never ends.
      vi.advanceTimersByTime(599_999);
      expect(await calls(1000)).toBe(3);
      vi.advanceTimersByTime(1);
      expect(await calls(1)).toBe(4);
      await end();
    },
  );
});

describe.skipIf(noPostgres !== undefined)(`expired rows of PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  let pool: Pool;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url });
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  test("are deleted in batches, without those in use and those that have not expired", async () => {
    const schema = "batches";
    await migratePostgres({ client: pool, schema });
    const table = `${schema}.rate_limits`;
    const add = (prefix: string, count: number, age: string) =>
      pool.query(
        `insert into ${table} select $1::text || i, array[1], true, now() - $3::interval
         from generate_series(1, $2::int) as i`,
        [prefix, count, age],
      );
    await add("in use ", 1, "1 hour");
    await add("expired ", 120_000, "1 hour");
    await add("live ", 3, "-1 hour");
    const batches: unknown[] = [];
    const client: RunPostgresQuery = async (text, values) => {
      const { rows } = await pool.query(text, values);
      if (text.startsWith("with expired")) batches.push(rows[0].deleted);
      return rows;
    };
    const user = await pool.connect();
    await user.query("begin");
    await user.query(`select from ${table} where key = 'in use 1' for update`);
    const store = new PostgresRateLimitStore({ client, schema });
    for (let call = 0; call < 1000; call += 50) {
      await Promise.all(Array.from({ length: 50 }, () => store.consume(attempt)));
    }
    await expect.poll(() => batches).toEqual([50_000, 50_000, 20_000]);
    await user.query("rollback");
    user.release();
    const { rows } = await pool.query(`select key from ${table} order by key`);
    expect(rows.map(({ key }) => key)).toEqual([
      "client",
      "in use 1",
      "live 1",
      "live 2",
      "live 3",
    ]);
  });

  test("keep a lock that is taken while they are deleted", async () => {
    const schema = "taken";
    await migratePostgres({ client: pool, schema });
    await pool.query(
      `insert into ${schema}.locks select 'lock ' || i, '', 1, now() - interval '25 hours'
       from generate_series(1, 3000) as i`,
    );
    const stores = [1, 2].map(() => new PostgresLockStore({ client: pool, schema }));
    const names = Array.from({ length: 2000 }, (_, index) => `lock ${index + 1}`);
    const tokens = await Promise.all(
      names.map((name, index) => stores[index % 2]?.acquire(name, "one", 60_000)),
    );
    expect(tokens).not.toContain(undefined);
    const count = async (): Promise<number> =>
      (await pool.query(`select from ${schema}.locks`)).rows.length;
    await expect.poll(count).toBe(2000);
    const again = await Promise.all(names.map((name) => stores[0]?.acquire(name, "two", 1000)));
    expect(again.filter((token) => token !== undefined)).toEqual([]);
  });
});
