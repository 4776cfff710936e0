// Creates and changes the tables of PostgreSQL: run it once before a new version starts, not in every process.
import { migratePostgres } from "espalier/postgres";
import { PostgresDialect } from "kysely";
import { Pool } from "pg";
import { createQuery } from "./database/database.ts";
import { migrate } from "./node/migrate.ts";

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined)
  throw new Error("Set DATABASE_URL, such as postgres://localhost/app.");
const pool = new Pool({ connectionString: DATABASE_URL });
// The tables of the queue.
await migratePostgres({ client: pool });
const query = createQuery(new PostgresDialect({ pool }));
await migrate(query, new URL("migrations/", import.meta.url));
await query.destroy();
