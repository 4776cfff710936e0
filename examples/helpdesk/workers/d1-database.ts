import type { D1Database } from "@cloudflare/workers-types";
import { createQuery, type Database, type NewJob } from "../database/database.ts";
import { createSqliteDialect } from "../database/sqlite-dialect.ts";

/** Creates a database over a D1 binding. */
export function d1Database(
  binding: D1Database,
  enqueue: (jobs: readonly NewJob[]) => Promise<unknown>,
): Database {
  const dialect = createSqliteDialect(async (sql, parameters) => {
    const statement = binding.prepare(sql).bind(...parameters);
    const { results } = await statement.all<object>();
    return results;
  });
  return {
    query: createQuery(dialect),
    async commit(statements, jobs) {
      const prepared = statements.map(({ sql, parameters }) =>
        binding.prepare(sql).bind(...parameters),
      );
      // D1 runs a batch in one transaction.
      await binding.batch(prepared);
      await enqueue(jobs);
    },
  };
}
