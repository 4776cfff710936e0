import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/**
 * Runs pending migrations, each in a separate transaction. On D1, `wrangler d1 migrations apply` does
 * so.
 *
 * @param folder with files such as `0001_conduit.sql`; SQLite's `user_version` counts those applied
 */
export function migrate(connection: DatabaseSync, folder: URL): void {
  const row = connection.prepare("PRAGMA user_version").get();
  const done = Number(row?.["user_version"]);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  for (const [index, name] of files.entries()) {
    if (index < done) continue;
    const statements = readFileSync(new URL(name, folder), "utf8");
    connection.exec(`BEGIN; ${statements}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}
