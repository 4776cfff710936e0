import type { DatabaseSync } from "node:sqlite";
import type { Sql } from "./sql.ts";
import { type SqlDatabase, withViolations } from "./sql-database.ts";

/** Database on Node's built-in SQLite. */
export class SqliteDatabase implements SqlDatabase {
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  all<Row extends object>(statement: Sql): Promise<Row[]> {
    return withViolations(async () => this.#run<Row[]>(statement));
  }

  batch<Results extends readonly object[][]>(statements: readonly Sql[]): Promise<Results> {
    return withViolations(async () => {
      // Nothing is awaited before COMMIT, so no other request can run inside the transaction.
      this.#connection.exec("BEGIN IMMEDIATE");
      try {
        const results = statements.map((statement) => this.#run<object[]>(statement));
        this.#connection.exec("COMMIT");
        return results as unknown as Results;
      } catch (error) {
        this.#connection.exec("ROLLBACK");
        throw error;
      }
    });
  }

  #run<Rows extends object[]>({ text, values }: Sql): Rows {
    // Unchecked cast: the caller that writes the SQL declares the columns.
    return this.#connection.prepare(text).all(...values) as object[] as Rows;
  }
}
