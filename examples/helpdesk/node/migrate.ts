import { readdirSync, readFileSync } from "node:fs";
import { type Kysely, sql } from "kysely";

/**
 * Applies the migrations that have not been applied, of PostgreSQL or SQLite. On D1, `wrangler d1 migrations apply`
 * does so.
 *
 * @param folder with files such as `0001_helpdesk.sql`
 */
export async function migrate<Tables>(database: Kysely<Tables>, folder: URL): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)`.execute(database);
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(database);
  const applied = new Set(rows.map(({ name }) => name));
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && !applied.has(name));
  for (const name of names.sort()) {
    const script = readFileSync(new URL(name, folder), "utf8");
    for (const statement of statementsOf(script)) await sql.raw(statement).execute(database);
    await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(database);
  }
}

/** Splits a script at the semicolons that end a line. */
function statementsOf(script: string): string[] {
  return script.split(/;\s*$/m).filter((statement) => /^\s*\w/m.test(statement));
}
