import { EspalierError } from "../errors.ts";
import type { PostgresConnection } from "./postgres-client.ts";
import {
  checkPostgresOptions,
  type PostgresStoreOptions,
  quoteSchema,
} from "./postgres-options.ts";

/**
 * Returns the statement that creates the tables, for a migration tool. It can run again: what exists is kept.
 *
 * @param schema schema of the tables; default `espalier`
 * @throws EspalierError `ERR_POSTGRES_BAD_OPTION` for a name that is not a plain one
 * @example await writeFile("migrations/001-espalier.sql", postgresTables());
 */
export function postgresTables(schema?: string): string {
  const owner = { code: "ERR_POSTGRES_BAD_OPTION", name: "postgresTables()" } as const;
  return createTables(quoteSchema(owner, schema));
}

/**
 * Creates the tables of the queue, the locks and the rate limits unless they exist. Processes may call it at the
 * same time.
 *
 * @example await migratePostgres({ client: pool });
 * @throws EspalierError `ERR_POSTGRES_BAD_OPTION`, `ERR_POSTGRES_BAD_CLIENT`; `ERR_POSTGRES_BAD_ENCODING` for a
 *   database that cannot store all characters; the error of the client
 */
export async function migratePostgres(options: PostgresStoreOptions): Promise<void> {
  const { connection, schema } = checkPostgresOptions("migratePostgres", options);
  await checkEncoding(connection);
  await connection.query(createTables(schema), []);
}

/** Encodings that store every string. `SQL_ASCII` stores the bytes of UTF-8 as they are. */
const encodings: readonly string[] = ["UTF8", "SQL_ASCII"];

/** In another encoding a single character of a client, in the name of a lock, would be a failure of the store. */
async function checkEncoding(connection: PostgresConnection): Promise<void> {
  const statement = "select current_setting('server_encoding') as encoding";
  const [row] = await connection.query(statement, []);
  const encoding = row?.["encoding"];
  if (typeof encoding !== "string" || encodings.includes(encoding)) return;
  throw new EspalierError(
    "ERR_POSTGRES_BAD_ENCODING",
    `The database of migratePostgres() must have the encoding UTF8, got ${encoding}, which lacks characters that ` +
      "clients may send. Create one: CREATE DATABASE app ENCODING 'UTF8' TEMPLATE template0.",
  );
}

/**
 * One statement, so that every client can run it, in one transaction. Times are those of the server. `due_at` of a
 * job with a `lease` is the end of the lease. What a limiter forgets when the server crashes is worth less than
 * writing it twice, so its table is not logged.
 */
function createTables(schema: string): string {
  const accepted = encodings.map((encoding) => `'${encoding}'`).join(", ");
  return `do $espalier$ begin
if current_setting('server_encoding') not in (${accepted}) then
  raise exception 'The database must have the encoding UTF8, got %.', current_setting('server_encoding');
end if;
perform pg_advisory_xact_lock(hashtext('espalier ${schema}'));
create schema if not exists ${schema};
create table if not exists ${schema}.jobs (
  id text primary key,
  name text not null,
  payload json not null,
  priority integer not null,
  due_at timestamptz not null,
  attempt integer not null,
  max_attempts integer not null,
  enqueued_at timestamptz not null,
  keep_id_ms float8 not null,
  backoff json not null,
  lease text,
  position bigint generated always as identity
);
create index if not exists jobs_next on ${schema}.jobs (name, priority desc, due_at, position);
create table if not exists ${schema}.failed_jobs (
  id text primary key,
  name text not null,
  payload json not null,
  priority integer not null,
  attempt integer not null,
  max_attempts integer not null,
  enqueued_at timestamptz not null,
  keep_id_ms float8 not null,
  backoff json not null,
  error text not null,
  failed_at timestamptz not null
);
create index if not exists failed_jobs_order on ${schema}.failed_jobs (failed_at);
create table if not exists ${schema}.kept_ids (
  id text primary key,
  expires_at timestamptz not null
);
create table if not exists ${schema}.locks (
  name text primary key,
  owner text not null,
  token bigint not null,
  expires_at timestamptz not null
);
create unlogged table if not exists ${schema}.rate_limits (
  key text primary key,
  hits bigint[] not null,
  admitted boolean not null,
  expires_at timestamptz not null
);
end $espalier$`;
}
