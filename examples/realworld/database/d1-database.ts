import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import type { Sql } from "./sql.ts";
import { type SqlDatabase, withViolations } from "./sql-database.ts";

/** Database on Cloudflare D1. */
export class D1SqlDatabase implements SqlDatabase {
  readonly #binding: D1Database;

  constructor(binding: D1Database) {
    this.#binding = binding;
  }

  all<Row extends object>(statement: Sql): Promise<Row[]> {
    return withViolations(async () => (await this.#prepare(statement).all<Row>()).results);
  }

  batch<Results extends readonly object[][]>(statements: readonly Sql[]): Promise<Results> {
    return withViolations(async () => {
      const prepared = statements.map((statement) => this.#prepare(statement));
      const results = await this.#binding.batch<object>(prepared);
      // Unchecked cast: the caller that writes the SQL declares the columns.
      return results.map((result) => result.results) as unknown as Results;
    });
  }

  #prepare({ text, values }: Sql): D1PreparedStatement {
    return this.#binding.prepare(text).bind(...values);
  }
}
