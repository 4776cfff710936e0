import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Application, json } from "espalier";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { startWorkerd } from "../support/workerd.ts";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { namedBlocks } from "./import-blocks.ts";

// In the repository, where the libraries are found.
const folder = mkdtempSync(join(root, "test/docs/.drizzle-"));
const load = (name: string): Promise<Record<string, unknown>> => import(join(folder, name));

beforeAll(() => {
  const files = namedBlocks(codeBlocks("docs/guide/drizzle-kysely.md").filter(isChecked));
  for (const [name, { text }] of files) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const tables = `
  CREATE TABLE books (id serial PRIMARY KEY, title text NOT NULL, stock integer NOT NULL);
  CREATE TABLE loans (id serial PRIMARY KEY, book_id integer NOT NULL REFERENCES books, member text NOT NULL);
  INSERT INTO books (title, stock) VALUES ('Emma', 2);
`;

describe.skipIf(noPostgres !== undefined)(`PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server?.stop());

  /** Creates a database, and returns its URL. */
  async function createDatabase(name: string): Promise<string> {
    const pool = new Pool({ connectionString: server.url });
    await pool.query(`CREATE DATABASE ${name}`);
    await pool.end();
    return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  }

  async function checkLibrary(app: Application): Promise<void> {
    expect(await (await app.request("/books")).json()).toEqual([
      { id: 1, title: "Emma", stock: 2 },
    ]);
    const borrow = (member: unknown, id = "1"): Promise<Response> =>
      app.request(`/books/${id}/loans`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ member }),
      });
    expect((await borrow(5)).status).toBe(422);
    // PostgreSQL refuses the first as a value of the column.
    expect((await borrow("ada", "2147483648")).status).toBe(422);
    expect((await borrow("ada", "2147483647")).status).toBe(409);
    expect((await borrow("ada", "one")).status).toBe(404);
    const members = ["ada", "bob", "eve", "joe"];
    const responses = await Promise.all(members.map((member) => borrow(member)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    expect(await (await app.request("/books")).json()).toMatchObject([{ stock: 0 }]);
    await app.stop();
  }

  test("Drizzle: migrations, the pool as a service, and transactions that roll back", async () => {
    const url = await createDatabase("drizzle");
    const migrations = join(folder, "migrations");
    mkdirSync(join(migrations, "meta"), { recursive: true });
    const entries = [{ idx: 0, version: "7", when: 1, tag: "0000_first", breakpoints: true }];
    const journal = { version: "7", dialect: "postgresql", entries };
    writeFileSync(join(migrations, "meta/_journal.json"), JSON.stringify(journal));
    writeFileSync(join(migrations, "0000_first.sql"), tables);
    const { migrateDatabase } = await load("migrate.ts");
    const migrate = migrateDatabase as (url: string, folder: string) => Promise<void>;
    await migrate(url, migrations);
    await migrate(url, migrations);
    const { createApp } = await load("library.ts");
    await checkLibrary((createApp as (url: string) => Application)(url));
  });

  test("Kysely: the pool as a service, and transactions that roll back", async () => {
    const url = await createDatabase("kysely");
    const pool = new Pool({ connectionString: url });
    await pool.query(tables);
    await pool.end();
    const { createApp } = await load("kysely.ts");
    await checkLibrary((createApp as (url: string) => Application)(url));
  });
});

interface Notes {
  find(id: number): Promise<unknown>;
  add(content: string): Promise<unknown>;
}

const note = { id: 1, text: "first" };

async function checkNotes(app: Application): Promise<void> {
  app.getRouter().get("/", async (ctx) => {
    const notes = ctx.resolve<Notes>("notes" as never) as Notes;
    const added = await notes.add("first");
    return json([added, await notes.find(1), (await notes.find(2)) ?? null]);
  });
  const response = await app.request("/");
  expect(await response.json()).toEqual([note, note, null]);
}

const createNotes = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)";

test("the same class over D1", async () => {
  writeFileSync(
    join(folder, "worker.ts"),
    `import { Application, json } from "espalier";
import { registerD1 } from "./d1.ts";
const app = new Application();
registerD1(app);
app.getRouter().get("/", async (ctx) => {
  await ctx.env.DB.exec(${JSON.stringify(createNotes)});
  const notes = ctx.resolve("notes");
  const added = await notes.add("first");
  return json([added, await notes.find(1), (await notes.find(2)) ?? null]);
});
export default app.worker();
`,
  );
  const env = { DB: { type: "d1", id: "DB" } } as const;
  const miniflare = await startWorkerd(join(folder, "worker.ts"), { env });
  try {
    const response = await fetch(await miniflare.ready);
    expect(await response.json()).toEqual([note, note, null]);
  } finally {
    await miniflare.dispose();
  }
});

test("the same class over SQLite", async () => {
  const path = join(folder, "notes.sqlite");
  const setup = new DatabaseSync(path);
  setup.exec(createNotes);
  setup.close();
  const app = new Application();
  const { registerSqlite } = await load("sqlite.ts");
  (registerSqlite as (app: Application, path: string) => void)(app, path);
  await checkNotes(app);
  await app.stop();
});
