import { sql } from "../database/sql.ts";
import type { SqlDatabase } from "../database/sql-database.ts";

export class Tags {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Returns the most used tags, in descending order of use. */
  async list(limit: number): Promise<string[]> {
    const rows = await this.#database.all<{ tag: string }>(sql`
      SELECT tag FROM article_tags GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${limit}`);
    return rows.map(({ tag }) => tag);
  }
}
