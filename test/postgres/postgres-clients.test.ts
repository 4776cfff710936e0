import {
  migratePostgres,
  PostgresBroadcastAdapter,
  type PostgresClient,
  PostgresLockStore,
  PostgresQueueAdapter,
  PostgresRateLimitStore,
  postgresTables,
} from "espalier/postgres";
import { describe, expect, test, vi } from "vitest";
import { connectPostgres, connectTransaction } from "../../src/postgres/postgres-client.ts";

const run = async (): Promise<never[]> => [];

const stores = [
  PostgresBroadcastAdapter,
  PostgresLockStore,
  PostgresQueueAdapter,
  PostgresRateLimitStore,
].map((Store) => [Store.name, Store] as const);

const nameExpected = "a name of at most 48 lower-case letters, digits and underscores";

describe.each(stores)("%s", (name, Store) => {
  const nameOption = Store === PostgresBroadcastAdapter ? "channel" : "schema";

  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    ["postgres://localhost", '"postgres://localhost"'],
    [{}, "{}"],
    [{ query: "select" }, "{ query }"],
  ])("refuses %j as client", (client, got) => {
    expect(() => new Store({ client: client as PostgresClient })).toThrow(
      expect.objectContaining({
        code: "ERR_POSTGRES_BAD_CLIENT",
        message:
          `The client of ${name} must be a client of pg, postgres.js, Bun or Drizzle, or a function that runs ` +
          `one statement, got ${got}. Pass new Pool({ connectionString }), postgres(url) or ` +
          "(text, values) => rows.",
      }),
    );
  });

  test.each<[unknown, string]>([
    ["", '""'],
    ["Shop", '"Shop"'],
    ["1shop", '"1shop"'],
    ['a"b', '"a\\"b"'],
    ["a".repeat(49), `"${"a".repeat(49)}"`],
    [5, "5"],
  ])("refuses the name %j", (given, got) => {
    const options = { client: run, [nameOption]: given };
    expect(() => new Store(options as never)).toThrow(
      expect.objectContaining({
        code: "ERR_POSTGRES_BAD_OPTION",
        message: `The option "${nameOption}" of ${name} must be ${nameExpected}, got ${got}.`,
      }),
    );
  });

  test.each(["a".repeat(48), "_shop", "shop_2"])("takes the name %s", (given) => {
    expect(() => new Store({ client: run, [nameOption]: given } as never)).not.toThrow();
  });

  test("refuses unknown options", () => {
    expect(() => new Store({ client: run, clint: run } as never)).toThrow(
      expect.objectContaining({
        code: "ERR_POSTGRES_BAD_OPTION",
        message: `${name}: unknown option "clint". Did you mean "client"?`,
      }),
    );
  });
});

test.each(["notifications", "prepare"])("%s must be a boolean", (option) => {
  expect(() => new PostgresQueueAdapter({ client: run, [option]: "yes" })).toThrow(
    expect.objectContaining({
      code: "ERR_POSTGRES_BAD_OPTION",
      message: `The option "${option}" of PostgresQueueAdapter must be a boolean, got "yes".`,
    }),
  );
});

describe("the queue", () => {
  test("has a name, and supports transactions and ids that stay taken", () => {
    const { name, features } = new PostgresQueueAdapter({ client: run });
    expect([name, features]).toEqual(["postgres", ["transaction", "keepIdMs"]]);
  });

  test("is not woken by a client that cannot listen, or without notifications", async () => {
    const listen = vi.fn();
    const client = { unsafe: run, listen };
    for (const adapter of [
      new PostgresQueueAdapter({ client: run }),
      new PostgresQueueAdapter({ client, notifications: false }),
    ]) {
      const unsubscribe = await adapter.subscribe(() => {});
      expect(() => unsubscribe()).not.toThrow();
    }
    expect(listen).not.toHaveBeenCalled();
  });
});

test("a request that others have overtaken is rejected for the window", async () => {
  const store = new PostgresRateLimitStore({ client: run });
  const decision = await store.consume({ key: "a", limit: 5, windowMs: 1_500 });
  expect(decision).toEqual({ allowed: false, remaining: 0, resetMs: 1_500 });
});

describe("the tables", () => {
  test("are those of a schema, whose name is checked", () => {
    expect(postgresTables()).toContain('create schema if not exists "espalier";');
    expect(postgresTables("shop")).toContain('create table if not exists "shop".jobs (');
    expect(() => postgresTables("Shop")).toThrow(
      expect.objectContaining({
        code: "ERR_POSTGRES_BAD_OPTION",
        message: `The option "schema" of postgresTables() must be ${nameExpected}, got "Shop".`,
      }),
    );
    expect(postgresTables()).toContain("not in ('UTF8', 'SQL_ASCII') then");
  });

  test.each<[unknown, boolean]>([
    [[{ encoding: "UTF8" }], true],
    [[{ encoding: "SQL_ASCII" }], true],
    [[{}], true],
    [[], true],
    [[{ encoding: "LATIN1" }], false],
  ])("are created in a database that stores all characters: %j", async (rows, isCreated) => {
    const statements: string[] = [];
    const client = async (text: string) => {
      statements.push(text);
      return rows as never;
    };
    const migrated = migratePostgres({ client, schema: "shop" });
    if (isCreated) await migrated;
    else {
      await expect(migrated).rejects.toMatchObject({
        code: "ERR_POSTGRES_BAD_ENCODING",
        message:
          "The database of migratePostgres() must have the encoding UTF8, got LATIN1, which lacks characters that " +
          "clients may send. Create one: CREATE DATABASE app ENCODING 'UTF8' TEMPLATE template0.",
      });
    }
    const encoding = "select current_setting('server_encoding') as encoding";
    expect(statements).toEqual(isCreated ? [encoding, postgresTables("shop")] : [encoding]);
  });
});

/** A client with methods that record their calls and resolve to `result`. */
function createClient(methods: readonly string[], result: unknown, members: object = {}) {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      calls.push([name, ...args]);
      return result;
    };
  const client = Object.fromEntries(methods.map((name) => [name, record(name)]));
  return { client: { ...client, ...members }, calls };
}

describe("a statement is run", () => {
  const rows = [{ id: 1 }];

  test("by a client of pg, unprepared unless it is a pool", async () => {
    const { client, calls } = createClient(["query", "connect"], { rows });
    const connection = connectPostgres(client, "A store");
    expect(await connection.query("select 1", [], "named")).toEqual(rows);
    expect([calls, connection.listener]).toEqual([[["query", "select 1", []]], undefined]);
  });

  test("by a pool of pg, prepared if it has a name", async () => {
    const { client, calls } = createClient(["query", "connect"], { rows }, { totalCount: 1 });
    const connection = connectPostgres(client, "A store");
    await connection.query("select $1", [5]);
    expect(await connection.query("select $1", [5], "named")).toEqual(rows);
    expect(calls).toEqual([
      ["query", "select $1", [5]],
      ["query", { name: "named", text: "select $1", values: [5] }],
    ]);
    expect(connection.listener).toBe(client);
  });

  test("by postgres.js, prepared if it has a name", async () => {
    const { client, calls } = createClient(["unsafe", "listen"], rows);
    const connection = connectPostgres(client, "A store");
    await connection.query("select $1", [5]);
    expect(await connection.query("select $1", [5], "named")).toEqual(rows);
    expect(calls).toEqual([
      ["unsafe", "select $1", [5]],
      ["unsafe", "select $1", [5], { prepare: true }],
    ]);
    expect(connection.listener).toBe(client);
  });

  test("by Bun, which prepares all statements and cannot listen", async () => {
    const { client, calls } = createClient(["unsafe"], new Set(rows));
    const connection = connectPostgres(client, "A store");
    expect(await connection.query("select $1", [5], "named")).toEqual(rows);
    expect([calls, connection.listener]).toEqual([[["unsafe", "select $1", [5]]], undefined]);
  });

  test("by the client of a Drizzle database, or that of its transaction", async () => {
    const { client, calls } = createClient(["query"], { rows });
    for (const drizzle of [{ $client: client }, { session: { client } }]) {
      expect(await connectPostgres(drizzle, "A store").query("select 1", [])).toEqual(rows);
    }
    expect(calls).toHaveLength(2);
    expect(() => connectPostgres({ session: null }, "A store")).toThrow(/got \{ session \}/);
  });

  test("by a function, which cannot listen", async () => {
    const call = vi.fn(async () => rows);
    const connection = connectPostgres(call, "A store");
    expect(await connection.query("select 1", [5])).toEqual(rows);
    expect([call.mock.calls, connection.listener]).toEqual([[["select 1", [5]]], undefined]);
  });
});

describe("a transaction", () => {
  const none = { unsafe: run };
  test.each<[string, object, boolean]>([
    ["a connection of pg", { query: run }, true],
    ["a pool of pg", { query: run, connect: run, totalCount: 1 }, false],
    ["postgres.js itself", { ...none, begin: run }, false],
    ["a transaction of postgres.js", { ...none, begin: run, savepoint: run }, true],
    ["a reserved connection of postgres.js", { ...none, begin: run, release: run }, true],
    ["a client without transactions", none, true],
  ])("may be %s: %s", (_name, transaction, isTaken) => {
    const connect = (): unknown => connectTransaction(transaction);
    if (isTaken) expect(connect).not.toThrow();
    else {
      expect(connect).toThrow(
        expect.objectContaining({
          code: "ERR_POSTGRES_BAD_CLIENT",
          message: expect.stringMatching(
            /^The option transaction must be the transaction or its connection, got .*, which would store the job outside of it\. Pass the connection of pool\.connect\(\), or the argument of sql\.begin\(\) or db\.transaction\(\)\.$/,
          ),
        }),
      );
    }
  });
});
