import { drizzle } from "drizzle-orm/node-postgres";
import { RateLimitMiddleware } from "espalier";
import {
  migratePostgres,
  type PostgresClient,
  PostgresLockStore,
  PostgresRateLimitStore,
  postgresTables,
  type RunPostgresQuery,
} from "espalier/postgres";
import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { rateLimitStoreSuite } from "../../src/testing/rate-limit-store-suite.ts";
import { expectGrowingTokens } from "../support/fencing-tokens.ts";
import { expectSeparateLocks } from "../support/hostile-names.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";

describe.skipIf(noPostgres !== undefined)(`PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  let pool: Pool;
  let sql: postgres.Sql;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url });
    sql = postgres(server.url, { onnotice: () => {} });
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await sql?.end();
    await server?.stop();
  });

  const clients: Record<string, () => PostgresClient> = {
    pg: () => pool,
    "postgres.js": () => sql,
    Drizzle: () => drizzle(pool),
    "a function": () => async (text, values) => (await pool.query(text, values)).rows,
  };

  /** Creates the tables in a schema of the test's own. */
  async function migrate(client: PostgresClient): Promise<string> {
    schemas += 1;
    const schema = `stores_${schemas}`;
    await migratePostgres({ client, schema });
    return schema;
  }

  describe.each(Object.keys(clients))("over %s", (name) => {
    const client = () => (clients[name] as () => PostgresClient)();

    test("the tables are created once, by several processes at a time", async () => {
      schemas += 1;
      const schema = `stores_${schemas}`;
      await Promise.all(
        Array.from({ length: 5 }, () => migratePostgres({ client: client(), schema })),
      );
      await migratePostgres({ client: client(), schema });
      const { rows } = await pool.query(
        "select table_name from information_schema.tables where table_schema = $1 order by 1",
        [schema],
      );
      expect(rows.map((row) => row.table_name)).toEqual([
        "failed_jobs",
        "jobs",
        "kept_ids",
        "locks",
        "rate_limits",
      ]);
    });

    let now = Date.UTC(2026, 0, 1);
    let schemaOfLimits: Promise<string> | undefined;
    rateLimitStoreSuite({
      name: `PostgreSQL with ${name}`,
      describe,
      it,
      createStore: async () => {
        schemaOfLimits ??= migrate(client());
        const schema = await schemaOfLimits;
        return new PostgresRateLimitStore({ client: client(), schema, now: () => now });
      },
      wait: (ms) => {
        now += ms;
      },
    });

    test("locks of any names are separate", async () => {
      const schema = await migrate(client());
      await expectSeparateLocks(new PostgresLockStore({ client: client(), schema }));
    });

    test("a lock has one holder among 50, whose fencing tokens grow", async () => {
      const schema = await migrate(client());
      const stores = [1, 2].map(() => new PostgresLockStore({ client: client(), schema }));
      let highest = 0;
      for (let round = 0; round < 3; round += 1) {
        const tokens = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            stores[index % 2]?.acquire("import", `owner ${index}`, 60_000),
          ),
        );
        const owner = tokens.findIndex((token) => token !== undefined);
        expect(tokens.filter((token) => token !== undefined)).toHaveLength(1);
        expect(tokens[owner]).toBeGreaterThan(highest);
        highest = tokens[owner] ?? 0;
        expect(await stores[0]?.renew("import", "stranger", 60_000)).toBe(false);
        expect(await stores[0]?.renew("import", `owner ${owner}`, 60_000)).toBe(true);
        expect(await stores[1]?.release("import", "stranger")).toBe(false);
        expect(await stores[1]?.release("import", `owner ${owner}`)).toBe(true);
        expect(await stores[1]?.release("import", `owner ${owner}`)).toBe(false);
      }
    });
  });

  test("a lock expires with its time to live", async () => {
    const store = new PostgresLockStore({ client: pool, schema: await migrate(pool) });
    expect(await store.acquire("import", "one", 200)).toBeDefined();
    expect(await store.acquire("import", "other", 200)).toBeUndefined();
    await expect.poll(() => store.acquire("import", "other", 200)).toBeDefined();
    expect(await store.renew("import", "one", 200)).toBe(false);
  });

  test("fencing tokens have all digits, also where the server shortens floating-point numbers", async () => {
    const schema = await migrate(pool);
    const options = "-c extra_float_digits=0";
    const rounding = new Pool({ connectionString: server.url, options });
    const store = new PostgresLockStore({ client: rounding, schema });
    const future = Date.UTC(2100, 0, 1) * 1000;
    await pool.query(`insert into ${schema}.locks values ('import', '', $1, now())`, [future]);
    expect(await store.acquire("import", "a", 60_000)).toBe(future + 1);
    await rounding.end();
  });

  test("fencing tokens grow, also after the table was emptied or the clock was set back", async () => {
    const schema = await migrate(pool);
    const store = new PostgresLockStore({ client: pool, schema });
    await expectGrowingTokens(store, async () => {
      await pool.query(`truncate ${schema}.locks`);
      return store;
    });
    const future = Date.UTC(2100, 0, 1) * 1000;
    await pool.query(
      `update ${schema}.locks set token = $1, expires_at = now() + interval '1 hour'`,
      [future],
    );
    expect(await store.acquire("import", "a", 60_000)).toBe(future + 1);
  });

  test("locks and rate limits that are over are removed after a while", async () => {
    const schema = await migrate(pool);
    const locks = new PostgresLockStore({ client: pool, schema });
    const limits = new PostgresRateLimitStore({ client: pool, schema });
    await locks.acquire("old", "one", 1);
    await locks.acquire("kept", "one", 1);
    await limits.consume({ key: "old", limit: 1, windowMs: 1 });
    await pool.query(
      `update ${schema}.locks
       set expires_at = now() - case name when 'old' then interval '25 hours' else interval '23 hours' end`,
    );
    const count = async (table: string): Promise<number> =>
      (await pool.query(`select from ${schema}.${table}`)).rows.length;
    for (let call = 0; call < 1000; call += 1) await locks.acquire("new", "one", 60_000);
    await expect.poll(() => count("locks")).toBe(2);
    for (let call = 0; call < 1000; call += 100) {
      const attempts = Array.from({ length: 100 }, () =>
        limits.consume({ key: "new", limit: 1, windowMs: 60_000 }),
      );
      await Promise.all(attempts);
    }
    await expect.poll(() => count("rate_limits")).toBe(1);
  }, 30_000);

  test("a rate limit on a clock with fractions of milliseconds is counted", async () => {
    const schema = await migrate(pool);
    let now = 1_800_000_000_000.75;
    const store = new PostgresRateLimitStore({ client: pool, schema, now: () => now });
    const attempt = { key: "client", limit: 1, windowMs: 999.5 };
    expect(await store.consume(attempt)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await store.consume(attempt)).toMatchObject({ allowed: false });
    now += 1000;
    expect(await store.consume(attempt)).toMatchObject({ allowed: true });
  });

  test("a lock that has expired is neither renewed nor released, also by its owner", async () => {
    const store = new PostgresLockStore({ client: pool, schema: await migrate(pool) });
    await store.acquire("expired", "one", 1);
    await pool.query("select pg_sleep(0.01)");
    expect(await store.renew("expired", "one", 60_000)).toBe(false);
    expect(await store.release("expired", "one")).toBe(false);
    expect(await store.acquire("expired", "two", 60_000)).toBeDefined();
  });

  test.each([
    ["LATIN1", "ERR_POSTGRES_BAD_ENCODING"],
    ["EUC_JP", "ERR_POSTGRES_BAD_ENCODING"],
    ["SQL_ASCII", undefined],
  ])("a database in %s is refused if it lacks characters (%s)", async (encoding, code) => {
    const name = `encoded_${encoding.toLowerCase()}`;
    await pool.query(
      `create database ${name} encoding '${encoding}' template template0 lc_collate 'C' lc_ctype 'C'`,
    );
    const client = new Pool({ connectionString: server.url.replace(/postgres$/, name) });
    try {
      if (code === undefined) {
        await migratePostgres({ client });
        await client.query(postgresTables());
        await expectSeparateLocks(new PostgresLockStore({ client }));
        return;
      }
      await expect(migratePostgres({ client })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(`must have the encoding UTF8, got ${encoding},`),
      });
      await expect(client.query(postgresTables())).rejects.toThrow(
        `The database must have the encoding UTF8, got ${encoding}.`,
      );
      const { rows } = await client.query("select from pg_namespace where nspname = 'espalier'");
      expect(rows).toEqual([]);
    } finally {
      await client.end();
    }
  });

  test("the statement of a migration tool creates the same tables", async () => {
    await pool.query(postgresTables("migrated"));
    const store = new PostgresLockStore({ client: pool, schema: "migrated" });
    expect(await store.acquire("import", "one", 1000)).toBeDefined();
  });
});

describe("options", () => {
  const client: RunPostgresQuery = async () => [];

  test.each([[undefined], ["postgres://localhost"], [{}], [{ $client: {} }]])(
    "the client %j is refused",
    (wrong) => {
      expect(() => new PostgresLockStore({ client: wrong as unknown as RunPostgresQuery })).toThrow(
        expect.objectContaining({ code: "ERR_POSTGRES_BAD_CLIENT" }),
      );
    },
  );

  test.each([["Upper"], ['a"; drop table jobs; --'], [""], ["x".repeat(49)], [1]])(
    "the schema %j is refused",
    (schema) => {
      const create = () => new PostgresLockStore({ client, schema: schema as string });
      expect(create).toThrow(expect.objectContaining({ code: "ERR_POSTGRES_BAD_OPTION" }));
      expect(() => postgresTables(schema as string)).toThrow("must be a name of at most 48");
    },
  );

  test("a rate limit above 10,000 is refused", () => {
    const store = new PostgresRateLimitStore({ client });
    expect(new RateLimitMiddleware({ store, limit: 10_000 })).toBeDefined();
    expect(() => new RateLimitMiddleware({ store, limit: 10_001 })).toThrow(
      'The option "limit" of RateLimitMiddleware must be',
    );
  });

  test("a misspelt option is refused", () => {
    const options = { client, shema: "jobs" };
    expect(() => new PostgresRateLimitStore(options)).toThrow('Did you mean "schema"?');
  });
});
