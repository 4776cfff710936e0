import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Application } from "espalier";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { namedBlocks } from "./import-blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-pagination-"));
let app: Application;
let base = "";
let readAll: (url: string) => AsyncGenerator<{ id: number; title: string }>;

beforeAll(async () => {
  const files = namedBlocks(codeBlocks("docs/guide/pagination.md").filter(isChecked));
  for (const [name, { text }] of files) writeFileSync(join(folder, name), text);
  await import(join(folder, "feed.ts"));
  const books = (await import(join(folder, "books.ts"))) as {
    app: Application;
    database: DatabaseSync;
  };
  ({ readAll } = await import(join(folder, "read-all.ts")));
  ({ app } = books);
  const insert = books.database.prepare("INSERT INTO books (title) VALUES (?)");
  for (let count = 0; count < 105; count += 1) insert.run(`Volume ${count % 7}`);
  ({ url: base } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false }));
});

afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

test.each(["/books", "/books?perPage=7", "/feed", "/feed?limit=1"])(
  "reads all pages of %s, in order",
  async (path) => {
    const books: { id: number; title: string }[] = [];
    for await (const book of readAll(new URL(path, base).href)) books.push(book);
    expect(new Set(books.map(({ id }) => id)).size).toBe(105);
    const key = ({ title, id }: { title: string; id: number }) =>
      `${title} ${String(id).padStart(3)}`;
    expect(books.map(key)).toEqual(books.map(key).toSorted());
  },
);

test("limits are validated", async () => {
  expect((await app.request("/books?perPage=101")).status).toBe(422);
  expect((await app.request("/feed?cursor=WyJhIl0")).status).toBe(422);
});
