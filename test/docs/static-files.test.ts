import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Application } from "espalier";
import { afterAll, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { namedBlocks } from "./import-blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-static-page-"));
const files = namedBlocks(codeBlocks("docs/guide/static-files.md").filter(isChecked));
for (const [name, { text }] of files) writeFileSync(join(folder, name), text);
mkdirSync(join(folder, "public"));
writeFileSync(join(folder, "public/index.html"), "<h1>Books</h1>");
afterAll(() => rmSync(folder, { recursive: true }));

test("the page's application serves its directory, and its routes", async () => {
  const { app } = (await import(join(folder, "app.ts"))) as { app: Application };
  const home = await app.request("/");
  expect(home.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await home.text()).toBe("<h1>Books</h1>");
  expect(await (await app.request("/api/books")).json()).toEqual([]);
  expect((await app.request("/app.ts")).status).toBe(404);
});
