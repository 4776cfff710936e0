import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { MemoryTokenStore } from "espalier";
import { createQuery, type Database } from "../database/database.ts";
import { createSqliteDialect } from "../database/sqlite-dialect.ts";
import type { Platform } from "../platform.ts";
import { DiskFiles } from "./disk-files.ts";
import { migrate } from "./migrate.ts";

export interface OneProcessOptions {
  /** File of the database; `:memory:` for one that ends with the process. */
  readonly database: string;
  /** Folder of attachments. */
  readonly folder: string;
  /** Folder of the SQL files. */
  readonly migrations: URL;
}

/** A single process without servers: SQLite, and everything else in memory. For development and tests. */
export function oneProcess(options: OneProcessOptions): Platform {
  const connection = new DatabaseSync(options.database);
  const run = (text: string, parameters: readonly unknown[]): object[] =>
    connection.prepare(text).all(...(parameters as SQLInputValue[]));
  const query = createQuery(createSqliteDialect(async (text, values) => run(text, values)));
  const files = new DiskFiles(options.folder);
  const tokens = new MemoryTokenStore();

  return {
    database: (app): Database => ({
      query,
      async commit(statements, jobs) {
        // Nothing is awaited before COMMIT, so no other request can run inside the transaction.
        connection.exec("BEGIN");
        try {
          for (const { sql, parameters } of statements) run(sql, parameters);
          connection.exec("COMMIT");
        } catch (error) {
          connection.exec("ROLLBACK");
          throw error;
        }
        await app.getQueue().enqueueMany(jobs);
      },
    }),
    files: () => files,
    tokens: () => tokens,
    connect(app) {
      app.registerProvider({
        register() {},
        boot: () => migrate(query, options.migrations),
        shutdown: () => connection.close(),
      });
    },
  };
}
