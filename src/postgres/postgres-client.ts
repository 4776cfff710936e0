import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";

/** A row of a result, by column. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** Value of a parameter. */
export type PostgresValue = string | number | null;

/** Runs one statement with the parameters `$1`, `$2`, … and resolves to its rows. For clients with another interface. */
export type RunPostgresQuery = (
  text: string,
  values: PostgresValue[],
) => Promise<readonly PostgresRow[]>;

/** A client of pg or PGlite, or a transaction of one. */
export interface PgClient {
  /** Runs one statement. */
  query(text: string, values?: PostgresValue[]): Promise<{ readonly rows: unknown[] }>;
}

/** Event of a connection. */
export type PgEvent = "notification" | "error" | "end";

/** Connection of a pool that listens for notifications. */
export interface PgListener extends PgClient {
  /** Adds a listener; that of `notification` gets an object with the `payload`. */
  on(event: PgEvent, listener: (message?: unknown) => void): unknown;
  /** Removes a listener. */
  off(event: PgEvent, listener: (message?: unknown) => void): unknown;
  /** Returns the connection to the pool; `true` closes it. */
  release(destroy?: boolean): void;
}

/** A statement that the server prepares once for each connection. */
export interface PgPreparedStatement {
  /** Unique for its text; at most 63 bytes. */
  readonly name: string;
  /** SQL with the placeholders `$1`, `$2`, … */
  readonly text: string;
  /** Values of the placeholders. */
  readonly values: PostgresValue[];
}

/** The pool of pg. */
export interface PgPool extends PgClient {
  /** Runs one statement. */
  query(text: string, values?: PostgresValue[]): Promise<{ readonly rows: unknown[] }>;
  /** Runs one statement, which is prepared at its first use. */
  query(statement: PgPreparedStatement): Promise<{ readonly rows: unknown[] }>;
  /** Takes a connection out of the pool. */
  connect(): Promise<PgListener>;
  /** Number of connections. */
  readonly totalCount: number;
}

/** The client of postgres.js or of Bun (`Bun.sql`), or a transaction of one. */
export interface PostgresJsClient {
  /** Runs a statement that is given as a string. */
  unsafe(
    text: string,
    values?: PostgresValue[],
    options?: { readonly prepare?: boolean },
  ): PromiseLike<unknown>;
  /** Listens for notifications, and calls `onListen` at each connection; absent in Bun. */
  listen?(
    channel: string,
    listener: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
}

/** The database of Drizzle, over one of the other clients. */
export interface DrizzleDatabase {
  /** The client that Drizzle uses. */
  readonly $client: unknown;
}

/** Client of PostgreSQL 13 or later that the application has created. */
export type PostgresClient =
  | PgClient
  | PgPool
  | PostgresJsClient
  | DrizzleDatabase
  | RunPostgresQuery;

/** Runs statements over the application's client, whichever library it is from. */
export interface PostgresConnection {
  /**
   * Runs one statement and resolves to its rows.
   *
   * @param name prepares the statement under this name, with a client that can; default: it is not prepared
   */
  query(text: string, values: PostgresValue[], name?: string): Promise<readonly PostgresRow[]>;
  /** Client that can listen for notifications; undefined if it cannot. */
  readonly listener: PgPool | Required<PostgresJsClient> | undefined;
}

/**
 * Returns how to run statements over `client`.
 *
 * @param ownerName class whose option it is, for the message
 * @throws EspalierError `ERR_POSTGRES_BAD_CLIENT` if it is not one of the supported clients
 */
export function connectPostgres(client: unknown, ownerName: string): PostgresConnection {
  const driver = driverOf(client);
  // The client of postgres.js is a function, too.
  if (hasMethod(driver, "unsafe")) return connectPostgresJs(driver);
  if (hasMethod(driver, "query")) return connectPg(driver);
  if (typeof driver === "function") {
    return { query: driver as RunPostgresQuery, listener: undefined };
  }
  throw new EspalierError(
    "ERR_POSTGRES_BAD_CLIENT",
    `The client of ${ownerName} must be a client of pg, postgres.js, Bun or Drizzle, or a function that runs ` +
      `one statement, got ${describe(client)}. Pass new Pool({ connectionString }), postgres(url) or ` +
      "(text, values) => rows.",
  );
}

/**
 * Returns how to run statements in the application's transaction.
 *
 * @throws EspalierError `ERR_POSTGRES_BAD_CLIENT` for a pool or another client that is not one connection: it would
 *   run them outside of the transaction
 */
export function connectTransaction(transaction: unknown): PostgresConnection {
  const connection = connectPostgres(transaction, "the option transaction");
  if (!hasManyConnections(driverOf(transaction))) return connection;
  throw new EspalierError(
    "ERR_POSTGRES_BAD_CLIENT",
    `The option transaction must be the transaction or its connection, got ${describe(transaction)}, which would ` +
      "store the job outside of it. Pass the connection of pool.connect(), or the argument of sql.begin() or " +
      "db.transaction().",
  );
}

/** A transaction of postgres.js or Bun has `savepoint`, and a reserved connection `release`. */
function hasManyConnections(driver: unknown): boolean {
  if (hasMethod(driver, "query")) return isPool(driver);
  return (
    hasMethod(driver, "begin") && !hasMethod(driver, "savepoint") && !hasMethod(driver, "release")
  );
}

function connectPostgresJs(client: PostgresJsClient): PostgresConnection {
  const listener = hasMethod(client, "listen") ? client : undefined;
  return {
    listener,
    // Only postgres.js has the option: Bun prepares all statements.
    query: async (text, values, name) =>
      Array.from(
        (await (listener === undefined || name === undefined
          ? client.unsafe(text, values)
          : client.unsafe(text, values, { prepare: true }))) as Iterable<PostgresRow>,
      ),
  };
}

function connectPg(client: PgClient): PostgresConnection {
  const pool = isPool(client) ? client : undefined;
  return {
    listener: pool,
    query: async (text, values, name) => {
      const { rows } = await (pool === undefined || name === undefined
        ? client.query(text, values)
        : pool.query({ name, text, values }));
      return rows as PostgresRow[]; // objects by column, unless the client is configured to return arrays
    },
  };
}

/** Returns the client below Drizzle: that of the database, or that of a transaction. */
function driverOf(client: unknown): unknown {
  if (!isObject(client)) return client;
  if ("$client" in client) return client.$client;
  if ("session" in client && isObject(client.session) && "client" in client.session) {
    return client.session.client;
  }
  return client;
}

interface Methods {
  unsafe: PostgresJsClient;
  listen: Required<PostgresJsClient>;
  query: PgClient;
  begin: object;
  savepoint: object;
  release: object;
}

function hasMethod<Name extends keyof Methods>(
  client: unknown,
  name: Name,
): client is Methods[Name] {
  const isHolder = isObject(client) || typeof client === "function";
  return isHolder && typeof (client as Record<string, unknown>)[name] === "function";
}

function isPool(client: PgClient): client is PgPool {
  return "totalCount" in client && "connect" in client;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
