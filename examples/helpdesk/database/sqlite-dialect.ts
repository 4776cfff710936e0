import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

/** Runs one statement and returns its rows, including those of `RETURNING`. */
export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<object[]>;

/** Creates a dialect for a database with SQLite's SQL, such as D1 or `node:sqlite`. */
export function createSqliteDialect(run: RunStatement): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new FunctionDriver(run),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Driver without connections. Transactions are those of `Database.commit`: D1 has no interactive ones. */
class FunctionDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(run: RunStatement) {
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        // Unchecked cast: the caller that builds the statement knows its columns.
        return { rows: (await run(sql, parameters)) as Row[] };
      },
      // biome-ignore lint/correctness/useYield: streams are not used.
      async *streamQuery() {
        throw new Error("This database does not stream rows. Use limit().");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error("This database has no interactive transactions. Use commit().");
  }

  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
