import type { DatabaseSync } from "node:sqlite";
import type { Sql } from "./sql.ts";
import { type SqlDatabase, withViolations } from "./sql-database.ts";

/** The SQLite that is part of Node. */
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
      // Nothing is awaited before COMMIT, so no other request gets in between.
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
    // What the columns are is known where the SQL is written.
    return this.#connection.prepare(text).all(...values) as object[] as Rows;
  }
}
