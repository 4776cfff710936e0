import {
  badOption,
  checkOptionNames,
  type OptionNames,
  type OptionOwner,
} from "../util/options.ts";
import {
  connectPostgres,
  type PostgresClient,
  type PostgresConnection,
} from "./postgres-client.ts";

/** Options of everything that is stored in PostgreSQL. */
export interface PostgresStoreOptions {
  /** Client of pg, postgres.js, Bun or Drizzle, or a function that runs one statement. */
  readonly client: PostgresClient;
  /** Schema of the tables that `migratePostgres` has created; default `espalier`. */
  readonly schema?: string;
}

const optionNames: OptionNames<PostgresStoreOptions> = { client: true, schema: true };

/** Default schema of the tables. */
const defaultSchema = "espalier";

/** Connection and schema of a store. */
export interface CheckedPostgresOptions {
  readonly connection: PostgresConnection;
  /** Name of the schema, quoted for statements. */
  readonly schema: string;
}

/** @throws EspalierError `ERR_POSTGRES_BAD_OPTION`, `ERR_POSTGRES_BAD_CLIENT` */
export function checkPostgresOptions<Options extends PostgresStoreOptions>(
  name: string,
  options: Options,
  names: OptionNames<Options> = optionNames as OptionNames<Options>,
): CheckedPostgresOptions {
  const owner: OptionOwner = { code: "ERR_POSTGRES_BAD_OPTION", name };
  checkOptionNames(owner, options, names);
  return {
    connection: connectPostgres(options.client, name),
    schema: quoteSchema(owner, options.schema),
  };
}

/**
 * Returns the name of a schema, quoted for statements.
 *
 * @throws EspalierError `ERR_POSTGRES_BAD_OPTION` unless it is a plain name
 */
export function quoteSchema(owner: OptionOwner, schema: unknown = defaultSchema): string {
  return `"${checkName(owner, "schema", schema)}"`;
}

/**
 * Returns an option that is a name of PostgreSQL.
 *
 * @throws EspalierError `ERR_POSTGRES_BAD_OPTION` unless it is a plain name
 */
export function checkName(owner: OptionOwner, option: string, name: unknown): string {
  // Shorter than the 63 bytes of PostgreSQL, with room for the name of the queue's channel.
  if (typeof name === "string" && /^[a-z_][a-z0-9_]{0,47}$/.test(name)) return name;
  const expected = "a name of at most 48 lower-case letters, digits and underscores";
  throw badOption(owner, option, name, expected);
}
